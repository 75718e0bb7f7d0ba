/**
 * Changes of the tags of many sites in one commit.
 */
import { Effect, Result } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import { reachIn } from "../caller/Reach.ts"
import { type EventOrigin, eventOrigins } from "../events/EventOrigin.ts"
import { type Decision, makeDeciding } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import { Records } from "../records/Records.ts"
import { recordsIn } from "../records/RecordsWithin.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { SiteId } from "./Site.ts"
import { siteEvent, siteKind } from "./SiteKind.ts"
import type { Tags } from "./SiteLabels.ts"
import { changedSite } from "./SiteRules.ts"
import { maximumTags } from "./TagLimits.ts"

/** Tags that sites get and lose. A tag in both is lost. */
export interface TagChange {
  /** Different ids, at most `maximumTaggedSites`. */
  readonly siteIds: ReadonlyArray<SiteId>
  readonly add: Tags
  readonly remove: Tags
}

/** Sites that keep their tags: `missing` ones are not there, `full` ones would have more than `maximumTags`. */
export interface Untagged {
  readonly missing: ReadonlyArray<SiteId>
  readonly full: ReadonlyArray<SiteId>
}

/** Changes the tags of all sites that are there and have room. Other tags stay, in their order. */
export const tagSites =
  ({ add, remove, siteIds }: TagChange, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<Untagged>> => {
    const at = origin.occurredAt
    const there = siteIds.flatMap((siteId) => found.byId(siteKind, siteId) ?? [])
    const known = new Set(there.map(({ record }) => record.id))
    const tagged = there.map((before) => {
      const tags = [...new Set([...before.record.tags, ...add])].filter((tag) => !remove.includes(tag))
      return { before, after: changedSite(before.record, { tags }, at) }
    })
    const isFull = ({ after }: (typeof tagged)[number]) => after.tags.length > maximumTags
    const changed = tagged
      .filter((site) => site.after !== site.before.record && !isFull(site))
      .sort((a, b) => (a.after.id < b.after.id ? -1 : 1))
    const answer = {
      missing: siteIds.filter((siteId) => !known.has(siteId)),
      full: tagged.filter(isFull).map(({ after }) => after.id)
    }
    if (changed.length === 0) return Result.succeed({ answer, change: null })
    return Result.succeed({
      answer,
      change: {
        writes: changed.map(({ after, before }) => ({ kind: siteKind, id: after.id, before, after })),
        events: changed.map(({ after, before }) => siteEvent("site.updated", before.record, after)),
        origin,
        at,
        // Nothing depends on the sites that are not written.
        mayChange: there.map(({ record }) => record.id)
      }
    })
  }

/** Changes tags of sites within the reach of the caller. The application has checked that the caller may change sites. */
export const siteTagging: Effect.Effect<
  (change: TagChange) => Effect.Effect<Untagged, RepositoryError, CurrentCaller>,
  never,
  Records
> = Effect.gen(function* () {
  const records = yield* Records
  const originOf = yield* eventOrigins
  return Effect.fn("Sites.tag")(function* (change: TagChange) {
    const { organisationId } = yield* CurrentCaller
    const finds = [{ kind: siteKind, by: "id", values: change.siteIds }]
    const rule = tagSites(change, yield* originOf(organisationId))
    const { create } = makeDeciding(recordsIn(records, yield* reachIn(organisationId)))
    return yield* create({ operation: "Sites.tag", organisationId, finds, rule }, null)
  })
})
