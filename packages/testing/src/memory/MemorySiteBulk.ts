/**
 * `SiteRepository.saveMany` in memory.
 */
import {
  type EventOrigin,
  MaximumPageBytes,
  type OrganisationId,
  type PortfolioId,
  type SavedSite,
  type SavedSites,
  type Site,
  type SiteRepository,
  type SiteSave,
  siteEvent
} from "@solar-sites/core"
import { type DateTime, Effect } from "effect"
import { type MemoryDatabase, type Owned, ownerOf } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { areTooLarge, changedSite, frozenSite } from "./MemorySite.ts"

/** A site to store with the one that is stored; null for a new site. */
interface Plan {
  readonly before: Site | null
  readonly saved: SavedSite
}

type Found = Omit<SavedSites, "saved">

const nothing: Found = { organisationFound: false, incomplete: [], missing: [], taken: [], areTooLarge: false }

const isAgainst = ({ areTooLarge, incomplete, missing, taken }: Found): boolean =>
  areTooLarge || incomplete.length + missing.length + taken.length > 0

const foundOf = (
  saves: ReadonlyArray<SiteSave>,
  { portfolios, sites }: Owned,
  owners: ReadonlyMap<string, Site>,
  maximumBytes: number
): Found => {
  const open = saves.flatMap((save, position) => {
    const { externalId } = save.changes ?? save.site
    const matched = externalId === null ? undefined : owners.get(externalId)
    const isKept = save.site !== null && sites.has(save.site.id)
    return isKept ? [] : [{ ...save, externalId, matched, position }]
  })
  const named = open.map(({ changes, matched, site }) => (matched && changes ? changes.portfolioId : site?.portfolioId))
  const kept = saves.flatMap(({ site }) => (site === null ? [] : (sites.get(site.id) ?? [])))
  return {
    organisationFound: true,
    incomplete: open.flatMap(({ matched, position, site }) =>
      matched === undefined && site === null ? [position] : []
    ),
    missing: named.filter((id): id is PortfolioId => typeof id === "string" && !portfolios.has(id)),
    taken: open.flatMap(({ changes, externalId, matched }) =>
      changes === null && matched !== undefined && externalId !== null ? [{ externalId, takenBy: matched.id }] : []
    ),
    areTooLarge: areTooLarge([...kept, ...open.flatMap(({ matched = [] }) => matched)], maximumBytes)
  }
}

const planOf = (
  save: SiteSave,
  organisationId: OrganisationId,
  owned: Owned,
  owners: ReadonlyMap<string, Site>,
  at: DateTime.Utc
): Plan => {
  const kept = save.site === null ? undefined : owned.sites.get(save.site.id)
  if (kept !== undefined) return { before: kept, saved: { result: "created", site: kept } }
  const before = save.changes === null ? undefined : owners.get(save.changes.externalId)
  if (before !== undefined) {
    const site = changedSite(before, { ...save.changes }, at)
    return { before, saved: { result: site === before ? "unchanged" : "updated", site } }
  }
  // Refused before.
  if (save.site === null) throw new TypeError("no site to store")
  return { before: null, saved: { result: "created", site: frozenSite({ ...save.site, organisationId }) } }
}

const store = (owned: Owned, plans: ReadonlyArray<Plan>, origin: EventOrigin): void => {
  const changed = plans.filter(({ before, saved }) => before !== saved.site)
  for (const { saved } of changed) owned.sites.set(saved.site.id, saved.site)
  const events = changed.map(({ before, saved: { site } }) =>
    siteEvent(before === null ? "site.created" : "site.updated", before, site)
  )
  recordEvents(owned, origin, events)
}

export const makeSaveMany = (database: MemoryDatabase["Service"]): SiteRepository["Service"]["saveMany"] =>
  Effect.fnUntraced(function* (organisationId, saves, { at, dryRun, origin }) {
    const maximumBytes = yield* MaximumPageBytes
    const owner = ownerOf(database, organisationId)
    if (owner === undefined) return { ...nothing, saved: [] }
    const owners = new Map([...owner.sites.values()].map((site) => [site.externalId ?? "", site]))
    const found = foundOf(saves, owner, owners, maximumBytes)
    if (isAgainst(found)) return { ...found, saved: [] }
    const plans = saves.map((save) => planOf(save, organisationId, owner, owners, at))
    if (!dryRun) store(owner, plans, origin)
    return { ...found, saved: plans.map(({ saved }) => saved) }
  })
