/**
 * `OrganisationRepository` in memory.
 *
 * @since 0.1.0
 */
import { eventOrigins, Organisation, OrganisationRepository, pageOf } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { duplicate, emptyOrganisation, MemoryDatabase } from "./MemoryDatabase.ts"
import { organisationEvent, recordEvents } from "./MemoryEventLog.ts"

const frozen = (organisation: Pick<Organisation, keyof Organisation>): Organisation =>
  Object.freeze(new Organisation(organisation, { disableChecks: true }))

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<OrganisationRepository, never, MemoryDatabase> = Layer.effect(
  OrganisationRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase
    const originOf = yield* eventOrigins

    return OrganisationRepository.of({
      insert: (organisation) =>
        Effect.suspend(() => {
          const there = database.get(organisation.id)
          if (there?.organisation) return Effect.fail(duplicate("OrganisationRepository.insert"))
          if (there !== undefined) there.organisation = frozen(organisation)
          else database.set(organisation.id, emptyOrganisation(frozen(organisation)))
          return Effect.void
        }),

      findById: (organisationId) => Effect.sync(() => Option.fromNullishOr(database.get(organisationId)?.organisation)),

      list: (page) =>
        Effect.sync(() =>
          pageOf(
            [...database.values()].flatMap(({ organisation }) => (organisation === null ? [] : [organisation])),
            page
          )
        ),

      update: (organisationId, changes) =>
        Effect.map(originOf(organisationId), (origin) => {
          const owner = database.get(organisationId)
          if (!owner?.organisation) return Option.none()
          const event = organisationEvent("organisation.updated", owner.organisation, {
            ...owner.organisation,
            ...changes
          })
          owner.organisation = frozen({ ...owner.organisation, ...changes })
          if (Object.keys(event.changes).length > 0) recordEvents(owner, origin, [event])
          return Option.some(owner.organisation)
        }),

      delete: (organisationId) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          if (owner === undefined) return true
          if (owner.sites.size + owner.portfolios.size + owner.apiKeys.size + owner.webhooks.size > 0) return false
          owner.organisation = null
          owner.requirementLists.clear()
          owner.requirements.clear()
          return true
        })
    })
  })
)
