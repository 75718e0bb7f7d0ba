/**
 * Many sites at once over any store of records, for adapters without statements of their own.
 */
import { type DateTime, Effect, Result } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import { type Reach, reachParts } from "../caller/Reach.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import { MaximumPageBytes } from "../lists/Page.ts"
import { type Decision, makeDeciding } from "../records/Deciding.ts"
import { findsOfExternalIds } from "../records/ExternalIds.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { organisationReference } from "../records/OrganisationReference.ts"
import type { Find, Stored } from "../records/RecordKind.ts"
import { Records } from "../records/Records.ts"
import { recordsIn } from "../records/RecordsWithin.ts"
import { Site } from "./Site.ts"
import { portfolioReference, siteEvent, siteKind } from "./SiteKind.ts"
import type { SavedSite, SavedSites, SiteRepository, SiteSave } from "./SiteRepository.ts"
import { changedSite } from "./SiteRules.ts"

/** Many sites to save. */
export interface SiteSaves {
  readonly reach: Reach
  readonly saves: ReadonlyArray<SiteSave>
  readonly at: DateTime.Utc
  readonly dryRun: boolean
  readonly maximumBytes: number
}

/** Whether sites have too many bytes for one step (`SitesTooLarge`). */
export const areTooLarge = (sites: ReadonlyArray<Site>, maximumBytes: number): boolean =>
  sites.reduce((sum, { attributes }) => sum + Buffer.byteLength(JSON.stringify(attributes)), 0) > maximumBytes

const idsOf = (values: ReadonlyArray<string | null | undefined>) => [...new Set(values.filter((one) => one != null))]

/** The records that `saveMany` reads. */
export const findsOfSaves = ({ reach, saves }: SiteSaves): ReadonlyArray<Find> => [
  { kind: organisationReference, by: "id", values: [reachParts(reach).organisationId] },
  { kind: siteKind, by: "id", values: idsOf(saves.map(({ site }) => site?.id)) },
  ...findsOfExternalIds(
    siteKind,
    saves.map(({ changes, site }) => changes ?? site)
  ),
  {
    kind: portfolioReference,
    by: "id",
    values: idsOf(saves.flatMap(({ changes, site }) => [changes?.portfolioId, site?.portfolioId]))
  }
]

/**
 * A save with the stored site of its id, or that of its external id. A site that was created under the id, and is out
 * of reach since, is as it was created.
 */
interface Plan {
  readonly save: SiteSave
  readonly kept: Pick<Stored<Site>, "record"> | null
  readonly matched: Stored<Site> | null
}

const whatStands = (found: Found, plans: ReadonlyArray<Plan>, { maximumBytes, reach }: SiteSaves) => {
  const open = plans.flatMap(({ kept, matched, save }, position) => (kept ? [] : [{ ...save, matched, position }]))
  const isLimited = reachParts(reach).portfolioIds !== null
  const named = open.map(({ changes, matched, site }) =>
    changes !== null && (matched !== null || site === null) ? changes.portfolioId : site?.portfolioId
  )
  const isMissing = (id: PortfolioId | null | undefined): id is PortfolioId =>
    id != null && found.byId(portfolioReference, id) === null
  const isHidden = (externalId: string | null) =>
    externalId !== null && found.isHidden(siteKind, "externalId", externalId)
  return {
    unplaced: open.flatMap(({ changes, matched, position, site }) => {
      // A change without the member keeps the portfolio.
      const isUnplaced =
        matched === null ? (site ?? changes)?.portfolioId == null : changes !== null && changes.portfolioId === null
      return isLimited && isUnplaced ? [position] : []
    }),
    incomplete: open.flatMap(({ matched, position, site }) => (matched === null && site === null ? [position] : [])),
    missing: named.filter(isMissing),
    taken: open.flatMap(({ changes, matched, site }): SavedSites["taken"] => {
      const externalId = changes === null ? site.externalId : changes.externalId
      if (externalId === null) return []
      if (isHidden(externalId)) return [{ externalId, takenBy: null }]
      return changes === null && matched !== null ? [{ externalId, takenBy: matched.record.id }] : []
    }),
    areTooLarge: areTooLarge(
      plans.flatMap(({ kept, matched }) => (kept ?? matched)?.record ?? []),
      maximumBytes
    )
  }
}

const saved = ({ kept, matched, save }: Plan, { at, reach }: SiteSaves): SavedSite => {
  const { organisationId } = reachParts(reach)
  if (kept !== null) return { result: "created", site: kept.record }
  if (matched !== null && save.changes !== null) {
    const site = changedSite(matched.record, { ...save.changes }, at)
    return { result: site === matched.record ? "unchanged" : "updated", site }
  }
  // Incomplete saves stand against the step.
  if (save.site === null) throw new TypeError("no site to store")
  return { result: "created", site: makeUnchecked(Site, { ...save.site, organisationId }) }
}

/** Saves all sites, or none where something stands against one. */
export const saveMany =
  (given: SiteSaves, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<SavedSites>> => {
    const organisationFound = found.byId(organisationReference, reachParts(given.reach).organisationId) !== null
    const plans = given.saves.map((save): Plan => {
      const externalId = (save.changes ?? save.site).externalId
      const { site } = save
      const kept = site && (found.isHidden(siteKind, "id", site.id) ? { record: site } : found.byId(siteKind, site.id))
      return { save, kept, matched: found.by(siteKind, "externalId", externalId ?? null) }
    })
    const against = whatStands(found, plans, given)
    const { incomplete, missing, taken, unplaced } = against
    const isRefused = against.areTooLarge || unplaced.length + incomplete.length + missing.length + taken.length > 0
    if (isRefused || !organisationFound) {
      return Result.succeed({ answer: { ...against, organisationFound, saved: [] }, change: null })
    }
    const sites = plans.map((plan) => saved(plan, given))
    const changes = plans.flatMap(({ kept, matched }, index) => {
      const after = sites[index]?.site
      return kept !== null || after === undefined || after === matched?.record ? [] : [{ before: matched, after }]
    })
    const change = {
      writes: changes.map(({ after, before }) => ({ kind: siteKind, id: after.id, before, after })),
      events: changes.map(({ after, before }) =>
        siteEvent(before === null ? "site.created" : "site.updated", before?.record ?? null, after)
      ),
      origin,
      at: given.at
    }
    return Result.succeed({
      answer: { ...against, organisationFound, saved: sites },
      change: given.dryRun || changes.length === 0 ? null : change
    })
  }

/** Two methods of `SiteRepository`. */
export const siteSaving: Effect.Effect<
  Pick<SiteRepository["Service"], "saveMany" | "idsByExternalId">,
  never,
  Records
> = Effect.map(Records, (records) => {
  return {
    saveMany: (reach, saves, { at, dryRun, origin }) =>
      Effect.flatMap(MaximumPageBytes, (maximumBytes) => {
        const given = { reach, saves, at, dryRun, maximumBytes }
        const { organisationId } = reachParts(reach)
        const [finds, rule] = [findsOfSaves(given), saveMany(given, origin)]
        const command = { operation: "SiteRepository.saveMany", organisationId, finds, rule }
        return makeDeciding(recordsIn(records, reach)).create(command, null)
      }),
    idsByExternalId: (reach, externalIds) => {
      const { organisationId } = reachParts(reach)
      const finds = [{ kind: siteKind, by: "externalId", values: externalIds }]
      return Effect.map(
        recordsIn(records, reach).load("SiteRepository.idsByExternalId", organisationId, finds),
        ({ by }) =>
          new Map(
            externalIds.flatMap((externalId) => {
              const id = by(siteKind, "externalId", externalId)?.record.id
              return id === undefined ? [] : [[externalId, id] as const]
            })
          )
      )
    }
  }
})
