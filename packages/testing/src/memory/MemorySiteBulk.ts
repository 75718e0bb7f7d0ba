/**
 * `SiteRepository.saveMany` in memory.
 */
import {
  type EventOrigin,
  ExternalIdTaken,
  MaximumPageBytes,
  type OrganisationId,
  OrganisationNotFound,
  type PortfolioId,
  PortfoliosNotFound,
  type SavedSite,
  type Site,
  type SiteRepository,
  type SiteSave,
  SitesIncomplete,
  SitesTooLarge,
  siteEvent
} from "@solar-sites/core"
import { Array as Arr, type DateTime, Effect } from "effect"
import { type MemoryDatabase, type Owned, ownerOf } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { areTooLarge, changedSite, frozenSite } from "./MemorySite.ts"

/** A site to store with the one that is stored; null for a new site. */
interface Plan {
  readonly before: Site | null
  readonly saved: SavedSite
}

type Refusal = SitesIncomplete | PortfoliosNotFound | ExternalIdTaken | SitesTooLarge

const refusalOf = (
  saves: ReadonlyArray<SiteSave>,
  { portfolios, sites }: Owned,
  owners: ReadonlyMap<string, Site>,
  maximumBytes: number
) => {
  const open = saves.flatMap((save, position) => {
    const { externalId } = save.changes ?? save.site
    const matched = externalId === null ? undefined : owners.get(externalId)
    const isKept = save.site !== null && sites.has(save.site.id)
    return isKept ? [] : [{ ...save, externalId, matched, position }]
  })
  const incomplete = open.filter(({ matched, site }) => matched === undefined && site === null)
  if (incomplete.length > 0) return new SitesIncomplete({ positions: incomplete.map(({ position }) => position) })
  const named = open.map(({ changes, matched, site }) => (matched && changes ? changes.portfolioId : site?.portfolioId))
  const absent = named.filter((id): id is PortfolioId => typeof id === "string" && !portfolios.has(id))
  const portfolioIds = [...new Set(absent)]
  if (Arr.isArrayNonEmpty(portfolioIds)) return new PortfoliosNotFound({ portfolioIds })
  const conflicts = open.flatMap(({ changes, externalId, matched }) =>
    changes === null && matched !== undefined && externalId !== null ? [{ externalId, takenBy: matched.id }] : []
  )
  if (Arr.isArrayNonEmpty(conflicts)) return new ExternalIdTaken({ conflicts })
  const kept = saves.flatMap(({ site }) => (site === null ? [] : (sites.get(site.id) ?? [])))
  const stored = [...kept, ...open.flatMap(({ matched = [] }) => matched)]
  return areTooLarge(stored, maximumBytes) ? new SitesTooLarge() : undefined
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

const plansOf = (
  saves: ReadonlyArray<SiteSave>,
  organisationId: OrganisationId,
  owned: Owned,
  { at, maximumBytes }: { readonly at: DateTime.Utc; readonly maximumBytes: number }
): ReadonlyArray<Plan> | Refusal => {
  const owners = new Map([...owned.sites.values()].map((site) => [site.externalId ?? "", site]))
  return (
    refusalOf(saves, owned, owners, maximumBytes) ??
    saves.map((save) => planOf(save, organisationId, owned, owners, at))
  )
}

const store = (owned: Owned, plans: ReadonlyArray<Plan>, origin: EventOrigin): void => {
  const changed = plans.filter(({ before, saved }) => before !== saved.site)
  for (const { saved } of changed) owned.sites.set(saved.site.id, saved.site)
  const events = changed.map(({ before, saved: { site } }) =>
    siteEvent(before === null ? "site.created" : "site.updated", before, site)
  )
  recordEvents(owned, origin, events)
}

export const makeSaveMany = (
  database: MemoryDatabase["Service"],
  originOf: (organisationId: OrganisationId) => Effect.Effect<EventOrigin>
): SiteRepository["Service"]["saveMany"] =>
  Effect.fnUntraced(function* (organisationId, saves, { at, dryRun }) {
    const origin = yield* originOf(organisationId)
    const maximumBytes = yield* MaximumPageBytes
    const owner = ownerOf(database, organisationId)
    if (owner === undefined) return yield* new OrganisationNotFound({ organisationId })
    const plans = plansOf(saves, organisationId, owner, { at, maximumBytes })
    if ("_tag" in plans) return yield* plans
    if (!dryRun) store(owner, plans, origin)
    return plans.map(({ saved }) => saved)
  })
