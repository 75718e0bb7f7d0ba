import { CapacityUnit, pageOfSites, type Site, type SiteSort, type SortValue, siteSortKeys } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { DateTime } from "effect"
import { describe, expect, it } from "vitest"

/** Folds the letters of these cases, written without the table of the core. */
const folded = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toUpperCase().toLowerCase().replaceAll("ł", "l")

const hasWords = (q: string, ...texts: ReadonlyArray<string | null>): boolean =>
  folded(q)
    .split(" ")
    .every((word) => texts.some((text) => folded(text ?? "").includes(word)))

const names = [
  "Süd",
  "sud",
  "SÜD\u2011",
  "Straße",
  "STRASSE z",
  "Łódź",
  "ırmak",
  "Émile",
  "a",
  "B",
  "ä",
  "z",
  "%",
  "_",
  "\\",
  "😀",
  "\uffee",
  "ﬀ"
]

const sites = names.map((siteName, index) =>
  aSite({
    siteName,
    address: names[(index * 7) % names.length] ?? null,
    capacity: 1 + (index % 3),
    unit: CapacityUnit.literals[index % 4] ?? "kW",
    updatedAt: DateTime.makeUnsafe(1_000 * (index % 5))
  })
)

/** Values of the model by which sites are sorted. */
const values: { readonly [By in SiteSort]: (site: Site) => SortValue } = {
  createdAt: () => null,
  updatedAt: ({ updatedAt }) => updatedAt.epochMilliseconds,
  siteName: ({ siteName }) => folded(siteName),
  capacityKw: ({ capacityKw }) => capacityKw
}

/** Texts by code points. */
const compare = (a: SortValue, b: SortValue): number => {
  if (typeof a !== "string" || typeof b !== "string") return Number(a) - Number(b)
  const [left, right] = [a, b].map((text) => [...text].map((character) => character.codePointAt(0) ?? 0))
  const differing = left?.findIndex((point, index) => point !== right?.[index]) ?? 0
  return differing < 0 ? a.length - b.length : (left?.[differing] ?? 0) - (right?.[differing] ?? -1)
}

// The keys have the names of the orders.
const orders = Object.keys(siteSortKeys).flatMap((by) => [
  { by, order: "asc" },
  { by, order: "desc" }
]) as ReadonlyArray<{ readonly by: SiteSort; readonly order: "asc" | "desc" }>

describe("pages of sites", () => {
  it.each(orders)("are in the order $by $order, for any limit", ({ by, order }) => {
    const ascending = sites.toSorted((a, b) => compare(values[by](a), values[by](b)) || (a.id < b.id ? -1 : 1))
    const expected = order === "asc" ? ascending : ascending.toReversed()
    for (const limit of [1, 2, 5, 100]) {
      const found: Array<Site> = []
      let hasMore = true
      while (hasMore) {
        const last = found.at(-1)
        const value = last === undefined ? null : (siteSortKeys[by]?.valueIn(last) ?? null)
        const page = { after: last?.id ?? null, limit, sort: { by, order, value } }
        const next = pageOfSites(sites, {}, page, Number.POSITIVE_INFINITY)
        found.push(...next.items)
        hasMore = next.hasMore
      }
      expect(found.map(({ siteName }) => siteName)).toEqual(expected.map(({ siteName }) => siteName))
    }
  })

  it("have the sites in which each word occurs, without case and accents", () => {
    for (const q of ["sud", "strass", "LODZ", "irm", "emile", "A", "b z", "%", "_", "\\", "😀", "ff", "nowhere"]) {
      const { items } = pageOfSites(sites, { q }, { after: null, limit: 100 }, Number.POSITIVE_INFINITY)
      const expected = sites.filter(({ address, siteName }) => hasWords(q, siteName, address))
      expect(
        items.map(({ id }) => id),
        q
      ).toEqual(expected.map(({ id }) => id).toSorted())
    }
  })
})
