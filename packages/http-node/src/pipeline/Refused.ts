/**
 * Refusals of a request, and the one table from the refusals of core to problems.
 */
import type * as Core from "@solar-sites/core"
import { refusalOf } from "@solar-sites/core/model"
import { Data, Effect } from "effect"
import { type ProblemCode, problems } from "../contract/Problems.ts"

/** A refusal with a code of the contract. Not an `Error`: refused requests must not cost a stack trace. */
export class Refused extends Data.TaggedClass("Refused")<{
  readonly code: ProblemCode
  /** Replaces the detail of the contract. */
  readonly detail?: string
  readonly errors?: ReadonlyArray<Core.Fault>
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>
}> {}

/**
 * A refusal of the host. Its `code` is the last part of the problem's type; the
 * result of `describeProblem` fits too.
 */
export class HostRefused extends Data.TaggedError("HostRefused")<{
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}> {}

export const refuse = (
  code: ProblemCode,
  more?: Omit<ConstructorParameters<typeof Refused>[0], "code">
): Effect.Effect<never, Refused> => Effect.suspend(() => Effect.fail(new Refused({ code, ...more })))

/** Refusals of the rules, and failures of their ports, that a handler can end with. */
export type CoreRefusal =
  | Core.AlreadyReplaced
  | Core.ApiKeyExpired
  | Core.ApiKeyInvalid
  | Core.CallerLimited
  | Core.DeliveryNotFound
  | Core.DocumentNotFound
  | Core.ExternalIdTaken
  | Core.InvalidFilename
  | Core.InvalidTransition
  | Core.OmRecordNotFound
  | Core.OrganisationInactive
  | Core.OrganisationMissing
  | Core.OrganisationNotFound
  | Core.PortfolioNotFound
  | Core.PortfolioRequired
  | Core.PortfoliosNotFound
  | Core.RepositoryError
  | Core.ScopeMissing
  | Core.SiteNotFound
  | Core.SiteNotInPortfolio
  | Core.StorageError
  | Core.TooManyPending
  | Core.TooManyWebhooks
  | Core.UploadMismatch
  | Core.UploadNotFound
  | Core.ValidationFailed
  | Core.VersionMismatch
  | Core.WebhookAddressNotAllowed
  | Core.WebhookNotFound

/** Every way in which a handler, or an effect of the host, can refuse a request. */
export type Refusal = Refused | HostRefused | CoreRefusal

// A body of 1 MiB can hold 100,000 faults.
const maximumFaults = 1_000

const withFaults = (code: ProblemCode, faults: ReadonlyArray<Core.Fault>): Refused =>
  new Refused({ code, errors: faults.slice(0, maximumFaults) })

/** All faults of a request. Faults of headers alone, and of filenames alone, have codes of their own. */
export const refusedFaults = (faults: ReadonlyArray<Core.Fault>, headerFaults: ReadonlyArray<Core.Fault>): Refused => {
  const [first, ...others] = [...faults, ...headerFaults]
  if (first === undefined || faults.length === 0) return withFaults("invalid_header", headerFaults)
  const refusal = refusalOf([first, ...others])
  return withFaults(refusal.code, refusal.faults)
}

/** `pointerTo` leads to the place of an external id in the request. */
export const refusedExternalIds = (
  { code, conflicts }: Core.ExternalIdTaken,
  pointerTo: (externalId: string) => string
): Refused => {
  const errors = conflicts.map(({ externalId, takenBy }) => ({
    pointer: pointerTo(externalId),
    code,
    detail: takenBy === null ? "is the external id of another resource" : `is the external id of ${takenBy}`
  }))
  return new Refused({ code, errors, members: { conflicts } })
}

/** Names the items of the list at `at` with missing portfolios, never the ids. */
export const refusedPortfolios =
  (at: string, items: ReadonlyArray<{ readonly portfolioId?: Core.PortfolioId | null }>) =>
  ({ code, portfolioIds }: Core.PortfoliosNotFound): Effect.Effect<never, Refused> => {
    const missing = new Set(portfolioIds)
    const detail = "is no portfolio of your organisation"
    const errors = items.flatMap(({ portfolioId = null }, index) =>
      portfolioId !== null && missing.has(portfolioId) ? [{ pointer: `${at}/${index}/portfolioId`, code, detail }] : []
    )
    return refuse(code, { errors })
  }

/** Names the sites of a bulk operation that would be in no portfolio. */
const refusedUnplaced = ({ code, positions }: Core.PortfolioRequired): Refused => {
  const detail = "must name a portfolio of the caller"
  const errors = positions.map((position) => ({ pointer: `/sites/${position}/portfolioId`, code, detail }))
  return new Refused(errors.length === 0 ? { code } : { code, errors })
}

const allowedTransitions = ({ allowed, from, to }: Core.InvalidTransition): string => {
  if (allowed.length > 0) return `A document that is ${from} can become ${allowed.join(" or ")}, not ${to}.`
  return from === "failed"
    ? "A document that is failed becomes pending when its upload address is issued again, and nothing else."
    : `A document that is ${from} stays so.`
}

// Life of an upload address in seconds: by then the first pending documents are resolved.
const pendingRetryAfter = "60"

const coded = ({ code }: { readonly code: ProblemCode }): Refused => new Refused({ code })

/** One entry per tag. A refusal without an entry, or with a code that is not in the contract, does not compile. */
export type ProblemTable<R extends { readonly _tag: string }> = {
  readonly [One in R as One["_tag"]]: (refusal: One) => Refused
}

export const problemTable: ProblemTable<CoreRefusal> = {
  AlreadyReplaced: coded,
  ApiKeyExpired: coded,
  ApiKeyInvalid: coded,
  CallerLimited: coded,
  DeliveryNotFound: coded,
  DocumentNotFound: coded,
  ExternalIdTaken: (refusal) => refusedExternalIds(refusal, () => "/externalId"),
  InvalidFilename: ({ code, faults }) => withFaults(code, faults),
  InvalidTransition: (refusal) => new Refused({ code: refusal.code, detail: allowedTransitions(refusal) }),
  OmRecordNotFound: coded,
  OrganisationInactive: coded,
  OrganisationMissing: coded,
  OrganisationNotFound: () => new Refused({ code: "organisation_missing" }),
  PortfolioNotFound: coded,
  PortfolioRequired: refusedUnplaced,
  PortfoliosNotFound: coded,
  RepositoryError: ({ retryable }) => new Refused({ code: retryable ? "database_unavailable" : "internal" }),
  ScopeMissing: ({ code, message }) => new Refused({ code, detail: `${message}.` }),
  SiteNotFound: coded,
  SiteNotInPortfolio: coded,
  StorageError: coded,
  TooManyPending: ({ code }) => new Refused({ code, headers: { "retry-after": pendingRetryAfter } }),
  TooManyWebhooks: coded,
  UploadMismatch: ({ code, reason }) => new Refused({ code, detail: `It contradicts its declaration: ${reason}.` }),
  UploadNotFound: coded,
  ValidationFailed: ({ code, faults }) => withFaults(code, faults),
  VersionMismatch: ({ actual, code }) => new Refused({ code, detail: `The resource is in version ${actual}.` }),
  WebhookAddressNotAllowed: ({ code, reason }) =>
    new Refused({ code, errors: [{ pointer: "/url", code: "address_not_allowed", detail: reason }] }),
  WebhookNotFound: coded
}

export const asRefused = (refusal: Refusal): Refused | HostRefused => {
  const { _tag } = refusal
  if (_tag === "Refused" || _tag === "HostRefused") return refusal
  // The effect of a host can fail with another value than its type allows.
  if (!Object.hasOwn(problemTable, _tag)) return new Refused({ code: "internal" })
  // The entry of a tag takes the refusal with that tag, which an index by a union cannot express.
  const entry = problemTable[_tag] as (refusal: CoreRefusal) => Refused
  return entry(refusal)
}

/** Status of the response to a refusal. */
export const statusOf = (refusal: Refusal): number => {
  const refused = asRefused(refusal)
  return refused._tag === "HostRefused" ? refused.status : problems[refused.code].status
}
