/** `OrganisationRepository` in memory. */
import {
  apiKeyKind,
  makeUnchecked,
  Organisation,
  OrganisationRepository,
  organisationEvent,
  organisationKind,
  pageOf,
  portfolioKind,
  requirementKind,
  requirementListKind,
  siteKind,
  webhookKind
} from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { MemoryDatabase, organisationOf, ownerOf, putRecord, recordsIn } from "./MemoryDatabase.ts"
import { duplicate, recordEvents } from "./MemoryRecords.ts"

export const layer: Layer.Layer<OrganisationRepository, never, MemoryDatabase> = Layer.effect(
  OrganisationRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return OrganisationRepository.of({
      insert: (organisation) =>
        Effect.suspend(() => {
          const owner = ownerOf(database, organisation.id)
          if (organisationOf(owner) !== undefined) return Effect.fail(duplicate("OrganisationRepository.insert"))
          putRecord(owner, organisationKind, makeUnchecked(Organisation, organisation))
          return Effect.void
        }),

      findById: (organisationId) =>
        Effect.sync(() => Option.fromUndefinedOr(organisationOf(database.get(organisationId)))),

      list: (page) =>
        Effect.sync(() =>
          pageOf(
            [...database.values()].flatMap((one) => organisationOf(one) ?? []),
            page
          )
        ),

      update: (organisationId, changes, origin) =>
        Effect.sync(() => {
          const owner = ownerOf(database, organisationId)
          const before = organisationOf(owner)
          if (before === undefined) return Option.none()
          const after = makeUnchecked(Organisation, { ...before, ...changes })
          putRecord(owner, organisationKind, after)
          const event = organisationEvent("organisation.updated", before, after)
          if (Object.keys(event.changes).length > 0) recordEvents(owner, origin, [event])
          return Option.some(after)
        }),

      delete: (organisationId) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          const remaining = [siteKind, portfolioKind, apiKeyKind, webhookKind]
          if (remaining.some((kind) => recordsIn(owner, kind).size > 0)) return false
          for (const { name } of [organisationKind, requirementListKind, requirementKind]) owner?.records.delete(name)
          return true
        })
    })
  })
)
