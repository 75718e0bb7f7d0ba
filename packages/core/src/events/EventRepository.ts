/**
 * Port of the event log. The adapters of the other repositories write it: each method that changes
 * a record writes its events in the same step. Refusals, and changes to equal values, write none.
 * `eventOrigins` gives actor, time, request and id of an event. Events of one step are in the order
 * of the ids of the changed records, after the event of the deleted record that they belonged to. A
 * rotation of a key has one event, about the old key. Test an implementation with
 * `eventRepositoryConformance` of `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { Reach } from "../caller/Reach.ts"
import type { Page } from "../lists/Page.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { Event, EventConditions } from "./Event.ts"

/**
 * At most `limit` events after the one with the sequence `after` in the given order; from the first
 * or last one when it is null. A page ends early as of `PageRequest`.
 */
export interface EventPageRequest {
  readonly after: number | null
  readonly limit: number
  readonly order: "asc" | "desc"
}

export class EventRepository extends Context.Service<
  EventRepository,
  {
    /**
     * A page of the events that meet all conditions, in the order of their sequence. Sequences
     * follow the order of commits: once a page was read, no event appears before its last one.
     * Instants do not descend along the sequence, unless a clock was ahead by more than an hour.
     * A reach of portfolios has the events of these portfolios, and of their sites and the documents of these: of
     * sites that are in them now, or were when they were deleted.
     */
    readonly list: (
      reach: Reach,
      conditions: EventConditions,
      page: EventPageRequest
    ) => Effect.Effect<Page<Event>, RepositoryError>

    /** Deletes the oldest events that occurred before the instant, at most `limit`, and returns their number. */
    readonly purge: (
      organisationId: OrganisationId,
      options: { readonly before: DateTime.Utc; readonly limit: number }
    ) => Effect.Effect<number, RepositoryError>

    /**
     * The first organisations after `after` that have events from before the instant, in ascending
     * order.
     */
    readonly findOrganisations: (options: {
      readonly before: DateTime.Utc
      readonly after: OrganisationId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrganisationId>, RepositoryError>

    /**
     * Deletes the oldest events of a deleted organisation, at most `limit`, and returns their
     * number. The step that finds fewer also forgets the last sequence.
     */
    readonly deleteAll: (
      organisationId: OrganisationId,
      options: { readonly limit: number }
    ) => Effect.Effect<number, RepositoryError>
  }
>()("@solar-sites/core/EventRepository") {}
