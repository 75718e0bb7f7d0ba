/**
 * The methods of `SiteRepository` that rules decide, over any store of records.
 */
import { Effect, Option } from "effect"
import { eventOrigins } from "../events/EventOrigin.ts"
import { makeUnchecked } from "../persistence/MakeUnchecked.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { Records } from "../records/Records.ts"
import { Site } from "./Site.ts"
import { siteKind } from "./SiteKind.ts"
import type { SiteRepository } from "./SiteRepository.ts"
import { assumedForCreation, createSite, findsOfCreation, findsOfUpdate, updateSite } from "./SiteRules.ts"

/**
 * @category constructors
 * @since 0.1.0
 */
export const siteRecords: Effect.Effect<
  Pick<SiteRepository["Service"], "insert" | "update" | "findById">,
  never,
  Records
> = Effect.gen(function* () {
  const records = yield* Records
  const originOf = yield* eventOrigins
  const deciding = makeDeciding(records)

  return {
    insert: (organisationId, given) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const site = makeUnchecked(Site, { ...given, organisationId })
        const rule = createSite(site, origin)
        const command = { operation: "SiteRepository.insert", organisationId, finds: findsOfCreation(site), rule }
        return deciding.create(command, assumedForCreation(site))
      }),

    update: (organisationId, siteId, changes, options) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const command = { organisationId, siteId, changes, ...options }
        return deciding.update(siteKind, siteId, {
          operation: "SiteRepository.update",
          organisationId,
          finds: findsOfUpdate(command),
          rule: updateSite(command, origin)
        })
      }),

    findById: (organisationId, siteId) =>
      Effect.map(
        records.load("SiteRepository.findById", organisationId, [{ kind: siteKind, by: "id", values: [siteId] }]),
        (found) => Option.map(Option.fromNullOr(found.byId(siteKind, siteId)), ({ record }) => record)
      )
  }
})
