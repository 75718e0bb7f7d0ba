/**
 * What a caller reaches: a whole organisation, or some portfolios of it (specification, section 17).
 * Outside of its reach everything is absent, as if it belonged to another organisation.
 */
import { Context, Effect, Schema } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { CurrentCaller } from "./Caller.ts"
import type { PortfolioId } from "./PortfolioId.ts"

/** Portfolios of an organisation, their sites, and all that belongs to these sites. Without portfolios: nothing. */
export interface LimitedReach {
  readonly organisationId: OrganisationId
  readonly portfolioIds: ReadonlyArray<PortfolioId>
}

/**
 * The part of an organisation that a port method reads and changes. An id is the whole organisation. Methods that
 * take a reach apply it in the same statement: other records are absent, and stay unchanged.
 */
export type Reach = OrganisationId | LimitedReach

/** The parts of a reach. `portfolioIds` is null for a whole organisation. */
export const reachParts = (
  reach: Reach
): { readonly organisationId: OrganisationId; readonly portfolioIds: ReadonlyArray<PortfolioId> | null } =>
  typeof reach === "string" ? { organisationId: reach, portfolioIds: null } : reach

/** Whether a reach has the portfolio, or the sites of it. Null is no portfolio. */
export const isReached = (
  { portfolioIds }: { readonly portfolioIds: ReadonlyArray<PortfolioId> | null },
  portfolioId: string | null
): boolean => portfolioIds === null || portfolioIds.some((one) => one === portfolioId)

/** The reach of the current caller in an organisation. Background work has no caller, and a whole organisation. */
export const reachIn = (organisationId: OrganisationId): Effect.Effect<Reach> =>
  Effect.withFiber((fiber) => {
    const caller = Context.getOrUndefined(fiber.context, CurrentCaller)
    const isLimited = caller?.organisationId === organisationId && caller.portfolioIds !== undefined
    return Effect.succeed(isLimited ? { organisationId, portfolioIds: caller.portfolioIds } : organisationId)
  })

/** The caller is limited to portfolios, and the operation is about more than them. Nothing was read or changed. */
export class CallerLimited extends Schema.TaggedError<CallerLimited>("@solar-sites/core/CallerLimited")(
  "CallerLimited",
  {}
) {
  readonly code = "caller_limited"

  override get message(): string {
    return "The caller is limited to portfolios"
  }
}

/**
 * A caller that is limited to portfolios would put sites into none, where it could not see them. Nothing was read or
 * changed. `positions` are those of the sites in a bulk operation.
 */
export class PortfolioRequired extends Schema.TaggedError<PortfolioRequired>("@solar-sites/core/PortfolioRequired")(
  "PortfolioRequired",
  { positions: Schema.Array(Schema.Int) }
) {
  readonly code = "portfolio_required"

  override get message(): string {
    return "The caller is limited to portfolios, and every site of it is in one of them"
  }
}
