/**
 * Search, filter, order and pages over all sites of the organisation. The
 * service lists sites by age only; this is fast enough for tens of thousands.
 */
import type { Site } from "@solar-sites/http-node/client"

export type SiteOrder = "siteName" | "capacityKw" | "portfolio" | "createdAt"

/** `portfolio` is an id, `none` for sites in no portfolio, or `all`. */
export interface SiteView {
  readonly search: string
  readonly portfolio: string
  readonly order: SiteOrder
  readonly descending: boolean
}

/** Members that searching and ordering read. */
export type ListedSite = Pick<Site, "siteName" | "address" | "capacityKw" | "portfolioId">

type NameOf = (portfolioId: string | null) => string

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()

const haystacks = new WeakMap<ListedSite, string>()

const haystackOf = (site: ListedSite): string => {
  const known = haystacks.get(site)
  if (known !== undefined) return known
  const made = plain(`${site.siteName}\n${site.address ?? ""}`)
  haystacks.set(site, made)
  return made
}

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

const comparisons: Record<SiteOrder, (nameOf: NameOf) => (a: ListedSite, b: ListedSite) => number> = {
  siteName: () => (a, b) => compare(a.siteName, b.siteName),
  capacityKw: () => (a, b) => a.capacityKw - b.capacityKw,
  portfolio: (nameOf) => (a, b) => compare(nameOf(a.portfolioId), nameOf(b.portfolioId)),
  createdAt: () => () => 0
}

/** Every word of the search must occur in name or address; accents and case do not matter. */
export const selectSites = <Listed extends ListedSite>(
  sites: ReadonlyArray<Listed>,
  { descending, order, portfolio, search }: SiteView,
  nameOf: NameOf
): ReadonlyArray<Listed> => {
  const words = plain(search).split(/\s+/).filter(Boolean)
  const wanted = portfolio === "none" ? null : portfolio
  const found = sites.filter(
    (site) =>
      (portfolio === "all" || site.portfolioId === wanted) &&
      (words.length === 0 || words.every((word) => haystackOf(site).includes(word)))
  )
  // The service lists the oldest first.
  const ordered = order === "createdAt" ? found : found.sort(comparisons[order](nameOf))
  return descending ? ordered.reverse() : ordered
}

export const pageSize = 50

/** Number of pages, at least 1. */
export const pageCount = (count: number): number => Math.max(1, Math.ceil(count / pageSize))

export const pageOf = <Item>(items: ReadonlyArray<Item>, page: number): ReadonlyArray<Item> =>
  items.slice((page - 1) * pageSize, page * pageSize)
