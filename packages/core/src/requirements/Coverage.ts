/**
 * Rule service for the coverage of required documents.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import { dayOf } from "../input/CalendarDate.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { decodePosition, encodePosition } from "../lists/Cursor.ts"
import { queryDigest } from "../lists/List.ts"
import { type List, maximumPageSize } from "../lists/Page.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { SiteId } from "../sites/Site.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { coverageOperations } from "./RequirementOperations.ts"
import { RequirementRepository } from "./RequirementRepository.ts"
import type { CoverageSummary, ListCoverage, SiteCoverage, SummariseCoverage } from "./SiteCoverage.ts"

const today = Effect.map(DateTime.now, dayOf)

/** Works in the organisation of the caller, on the current documents at the time of the call. */
export class Coverage extends Context.Service<
  Coverage,
  Guarded<{
    /** Sites with their items, oldest site first; complete without `limit`. */
    readonly list: (
      query?: ListCoverage
    ) => Effect.Effect<List<SiteCoverage>, ValidationFailed | RepositoryError, CurrentCaller>

    /** Numbers of sites per state. */
    readonly summary: (query?: SummariseCoverage) => Effect.Effect<CoverageSummary, RepositoryError, CurrentCaller>
  }>
>()("@solar-sites/core/Coverage") {
  /** Requires a `RequirementRepository` of the application. */
  static readonly layer: Layer.Layer<Coverage, never, RequirementRepository> = Layer.effect(
    Coverage,
    Effect.gen(function* () {
      const repository = yield* RequirementRepository

      const list = fnWithSpan("Coverage.list")(function* (given: ListCoverage = {}) {
        const { cursor, limit, ...query } = given
        const { organisationId } = yield* CurrentCaller
        const digest = queryDigest(given)
        const start = yield* decodePosition("coverage", cursor, digest)
        const conditions = { ...query, asOf: query.asOf ?? (yield* today) }
        const wanted = limit ?? Number.POSITIVE_INFINITY
        const data: Array<SiteCoverage> = []
        let after = start === null ? null : SiteId.make(start.id)
        do {
          const page = { after, limit: Math.min(wanted - data.length, maximumPageSize) }
          const { items, next } = yield* repository.listCoverage(organisationId, conditions, page)
          for (const item of items) data.push(item)
          after = next
        } while (after !== null && data.length < wanted)
        const nextCursor = after === null ? null : encodePosition("coverage", { id: after, value: null, digest })
        return { data, nextCursor }
      })

      const summary = fnWithSpan("Coverage.summary")(function* ({ portfolioId, asOf }: SummariseCoverage = {}) {
        const { organisationId } = yield* CurrentCaller
        const day = asOf ?? (yield* today)
        const conditions = portfolioId === undefined ? { asOf: day } : { asOf: day, portfolioId }
        return { asOf: day, ...(yield* repository.summariseCoverage(organisationId, conditions)) }
      })

      return Coverage.of(guarded(coverageOperations, { list, summary }))
    })
  )
}
