/**
 * Bulk creation and change of sites.
 */
import { DateTime, Effect, Option } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import { type Fault, ValidationFailed } from "../input/ValidationFailed.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { storageKeyIn } from "../storage/StorageKey.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { type CoverImages, withoutOwnCover } from "./CoverImages.ts"
import { newSite } from "./NewSite.ts"
import { SiteId } from "./Site.ts"
import type { BulkOutcome, BulkSites, BulkSitesResult, UpsertSite } from "./SiteBulkInput.ts"
import { type SitesIncomplete, tooLargeAt } from "./SiteErrors.ts"
import type { SiteCommands } from "./SiteRecords.ts"
import type { SiteSave } from "./SiteRepository.ts"

const validationFailed = ([first, ...others]: ReadonlyArray<Fault>) =>
  first === undefined
    ? Effect.die(new Error("A refusal without a fault."))
    : Effect.fail(new ValidationFailed({ faults: [first, ...others] }))

/** The members of new sites that are absent. */
const incomplete = ({ positions }: SitesIncomplete, { sites }: BulkSites) =>
  validationFailed(
    positions.flatMap((position) =>
      (["siteName", "capacity", "unit"] as const).flatMap((member): ReadonlyArray<Fault> => {
        const isGiven = sites[position]?.[member] !== undefined
        const detail = "is required, since no site has this external id"
        return isGiven ? [] : [{ pointer: `/sites/${position}/${member}`, code: "required", detail }]
      })
    )
  )

const hasCover = ({ coverImageUrl = null }: UpsertSite): boolean => coverImageUrl !== null

export const makeBulk = ({
  commands,
  covers,
  nextId
}: {
  readonly commands: Pick<SiteCommands, "findById" | "saveMany">
  readonly covers: CoverImages["Service"]
  readonly nextId: Effect.Effect<string>
}) => {
  /** The site with an uploaded cover at this address, when it has the external id. */
  const coveredSite = Effect.fnUntraced(function* (organisationId: OrganisationId, site: UpsertSite) {
    const key = Option.map(storageKeyIn(site.coverImageUrl ?? ""), (found) => found.split("/"))
    if (Option.isNone(key) || key.value[0] !== organisationId) return null
    const found = yield* commands.findById(organisationId, SiteId.make(key.value[1] ?? ""))
    return Option.exists(found, ({ externalId }) => externalId === site.externalId) ? Option.getOrNull(found) : null
  })

  /** The changes without signed addresses of the own covers of sites. */
  const withoutOwnCovers = Effect.fnUntraced(function* (
    organisationId: OrganisationId,
    sites: ReadonlyArray<UpsertSite>
  ) {
    if (!sites.some(hasCover)) return sites
    const faults: Array<Fault> = []
    const changes = yield* Effect.forEach(
      sites,
      Effect.fnUntraced(function* (site, position) {
        if (!hasCover(site)) return site
        const covered = yield* coveredSite(organisationId, site)
        return yield* Effect.catch(withoutOwnCover(organisationId, covered?.id ?? null, site), (failed) => {
          faults.push(...failed.faults.map((fault) => ({ ...fault, pointer: `/sites/${position}${fault.pointer}` })))
          return Effect.succeed(site)
        })
      }),
      // Look-ups are batched.
      { concurrency: "unbounded" }
    )
    return faults.length === 0 ? changes : yield* validationFailed(faults)
  })

  const savesOf = Effect.fnUntraced(function* (input: BulkSites, organisationId: OrganisationId, at: DateTime.Utc) {
    const make = (site: Parameters<typeof newSite>[0]) =>
      Effect.map(nextId, (id) => newSite(site, { id: SiteId.make(id), organisationId, at }))
    if (input.mode === "create") {
      return yield* Effect.forEach(input.sites, (site) =>
        Effect.map(make(site), (created): SiteSave => ({ site: created, changes: null }))
      )
    }
    const changes = yield* withoutOwnCovers(organisationId, input.sites)
    return yield* Effect.forEach(
      changes,
      Effect.fnUntraced(function* (change) {
        const { capacity, externalId, siteName, unit, ...others } = change
        const isComplete = siteName !== undefined && capacity !== undefined && unit !== undefined
        const site = isComplete ? yield* make({ ...others, externalId, siteName, capacity, unit }) : null
        const save: SiteSave = { site, changes: { ...change, externalId } }
        return save
      })
    )
  })

  return fnWithSpan("Sites.bulk")(function* (input: BulkSites) {
    const { organisationId } = yield* CurrentCaller
    const { dryRun } = input
    const at = yield* DateTime.now
    const saves = yield* savesOf(input, organisationId, at)
    const saved = yield* commands.saveMany(organisationId, saves, { at, dryRun }).pipe(
      Effect.catchTags({
        SitesIncomplete: (refusal) => incomplete(refusal, input),
        SitesTooLarge: () => tooLargeAt("/sites")
      })
    )
    const shown = yield* covers.withSignedCovers(saved.map(({ site }) => site))
    const summary: Record<BulkOutcome, number> = { created: 0, updated: 0, unchanged: 0 }
    const data = saved.map(({ result, site }, index): BulkSitesResult["data"][number] => {
      summary[result] += 1
      const found = shown[index] ?? site
      return { result, site: dryRun && result === "created" ? { ...found, id: null } : found }
    })
    return { data, summary, dryRun }
  })
}
