/**
 * What promises carry: plain objects in their wire form, instants as RFC 3339
 * texts.
 *
 * @since 0.1.0
 */
import type { ApiKey } from "../api-keys/ApiKey.ts"
import type { Caller } from "../caller/Caller.ts"
import type { Document } from "../documents/Document.ts"
import type { Organisation } from "../organisations/Organisation.ts"
import type { Portfolio, PortfolioWithSites } from "../portfolios/Portfolio.ts"
import type { Site } from "../sites/Site.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type PlainOrganisation = typeof Organisation.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainSite = typeof Site.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainPortfolio = typeof Portfolio.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainPortfolioWithSites = typeof PortfolioWithSites.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainDocument = typeof Document.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainApiKey = typeof ApiKey.Encoded

/**
 * A key and the organisation it opens.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlainApiKeyAccess {
  readonly apiKey: PlainApiKey
  readonly organisation: PlainOrganisation | null
}

/**
 * Somebody whom a key has opened the door for; `as` takes it.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainCaller = typeof Caller.Encoded

/**
 * One piece of a listing of portfolios with their sites, in order: a portfolio
 * begins, more sites of the one that began last, and at the very end the cursor
 * of the next page.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainPortfolioPart =
  | { readonly _tag: "Portfolio"; readonly portfolio: PlainPortfolio }
  | { readonly _tag: "Sites"; readonly sites: ReadonlyArray<PlainSite> }
  | { readonly _tag: "End"; readonly nextCursor: string | null }

/**
 * A new key with its whole secret, which is shown this one time: the one place
 * where a secret is a plain text.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlainIssuedApiKey {
  readonly apiKey: PlainApiKey
  readonly secret: string
}

/**
 * `signal` breaks off what only reads, with the reason of its abortion. A change
 * that has begun ends all the same and answers how; one that has not begun never
 * does.
 *
 * @category options
 * @since 0.1.0
 */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/**
 * With `expectedVersion` only that version is changed; any other is refused with
 * `VersionMismatch`.
 *
 * @category options
 * @since 0.1.0
 */
export interface ChangeCallOptions extends CallOptions {
  readonly expectedVersion?: number | undefined
}
