/**
 * Management of organisations by an operator. It has no caller and is not reachable with an API
 * key.
 */
import { Context, Duration, Effect, Layer, Option } from "effect"
import { eventOrigins } from "../events/EventOrigin.ts"
import { nextIds } from "../ids/IdGenerator.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { listPages } from "../lists/List.ts"
import type { List } from "../lists/Page.ts"
import { AccessChanges } from "../organisations/AccessChanges.ts"
import {
  type CreateOrganisation,
  Organisation,
  OrganisationId,
  type UpdateOrganisation
} from "../organisations/Organisation.ts"
import { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { OrganisationContents, type RemovedContents } from "./OrganisationContents.ts"
import { OrganisationRepository } from "./OrganisationRepository.ts"

const retryAfter = Duration.millis(100)

const add = (a: RemovedContents, b: RemovedContents): RemovedContents => ({
  documents: a.documents + b.documents,
  sites: a.sites + b.sites,
  portfolios: a.portfolios + b.portfolios,
  apiKeys: a.apiKeys + b.apiKeys
})

export class Organisations extends Context.Service<
  Organisations,
  {
    /** Creates an active organisation. */
    readonly create: (input: CreateOrganisation) => Effect.Effect<Organisation, RepositoryError>

    readonly get: (
      organisationId: OrganisationId
    ) => Effect.Effect<Organisation, OrganisationNotFound | RepositoryError>

    /** Oldest first; complete without `limit`. */
    readonly list: (query?: {
      readonly limit?: number
      readonly cursor?: string
    }) => Effect.Effect<List<Organisation>, ValidationFailed | RepositoryError>

    /**
     * Renames, activates or deactivates. The keys of an inactive organisation are refused from then
     * on.
     */
    readonly update: (
      organisationId: OrganisationId,
      changes: UpdateOrganisation
    ) => Effect.Effect<Organisation, OrganisationNotFound | RepositoryError>

    /**
     * Deletes the organisation with all its records and returns their numbers. Its keys are refused
     * as soon as the deletion starts; its files are deleted by the sweeper. The duration grows with
     * the number of records; repeat an interrupted call. The host must not write for the
     * organisation meanwhile.
     */
    readonly delete: (
      organisationId: OrganisationId
    ) => Effect.Effect<RemovedContents, OrganisationNotFound | RepositoryError>
  }
>()("@solar-sites/core/Organisations") {
  static readonly layer: Layer.Layer<
    Organisations,
    never,
    OrganisationRepository | OrganisationContents | AccessChanges
  > = Layer.effect(
    Organisations,
    Effect.gen(function* () {
      const repository = yield* OrganisationRepository
      const contents = yield* OrganisationContents
      const accessChanges = yield* AccessChanges
      const nextId = yield* nextIds
      const originOf = yield* eventOrigins

      const create = fnWithSpan("Organisations.create")(function* ({ name }: CreateOrganisation) {
        const organisation = new Organisation({ id: OrganisationId.make(yield* nextId), name, status: "active" })
        yield* repository.insert(organisation)
        return organisation
      })

      const get = fnWithSpan("Organisations.get")(function* (organisationId: OrganisationId) {
        const found = yield* repository.findById(organisationId)
        if (Option.isNone(found)) return yield* new OrganisationNotFound({ organisationId })
        return found.value
      })

      const list = fnWithSpan("Organisations.list")(function* (query?: { limit?: number; cursor?: string }) {
        return yield* listPages("organisations", query ?? {}, repository.list)
      })

      const update = fnWithSpan("Organisations.update")(function* (
        organisationId: OrganisationId,
        changes: UpdateOrganisation
      ) {
        const updated = yield* repository.update(organisationId, changes, yield* originOf(organisationId))
        if (Option.isNone(updated)) return yield* new OrganisationNotFound({ organisationId })
        if (changes.status !== undefined) yield* accessChanges.publish({ organisationId })
        return updated.value
      })

      const remove = fnWithSpan("Organisations.delete")(function* (organisationId: OrganisationId) {
        const found = yield* repository.update(organisationId, { status: "inactive" }, yield* originOf(organisationId))
        yield* accessChanges.publish({ organisationId })
        let removed = yield* contents.remove(organisationId)
        // A request that started earlier has stored a record meanwhile.
        while (!(yield* repository.delete(organisationId))) {
          yield* Effect.sleep(retryAfter)
          removed = add(removed, yield* contents.remove(organisationId))
        }
        yield* accessChanges.publish({ organisationId })
        // Last, since the removal of records writes events.
        yield* contents.removeEvents(organisationId)
        // An interrupted deletion can leave records without their organisation.
        const nothing = Object.values(removed).every((count) => count === 0)
        if (Option.isNone(found) && nothing) return yield* new OrganisationNotFound({ organisationId })
        return removed
      })

      return Organisations.of({ create, get, list, update, delete: remove })
    })
  )
}
