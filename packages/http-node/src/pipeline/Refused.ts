/**
 * A request that is refused: the code of its problem, and what there is to say
 * about it. Every refusal of the rules becomes one of these in one place.
 */
import type {
  ApiKeyExpired,
  ApiKeyInvalid,
  DocumentNotFound,
  Fault,
  InvalidTransition,
  OmRecordNotFound,
  OrganisationInactive,
  OrganisationMissing,
  OrganisationNotFound,
  PortfolioNotFound,
  RepositoryError,
  SiteNotFound,
  SiteNotInPortfolio,
  StorageError,
  TooManyPending,
  UploadMismatch,
  UploadNotFound,
  ValidationFailed,
  VersionMismatch
} from "@solar-sites/core"
import { Data, Effect } from "effect"
import { isProblemCode, type ProblemCode, problems } from "../contract/Problems.ts"
import type { HostRefused } from "../HostEndpoints.ts"

// No error: it is expected, and whoever provokes it must not be given a new stack for each.
export class Refused extends Data.TaggedClass("Refused")<{
  readonly code: ProblemCode
  readonly detail?: string
  readonly errors?: ReadonlyArray<Fault>
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the problem. */
  readonly members?: Readonly<Record<string, unknown>>
}> {}

export const refuse = (
  code: ProblemCode,
  more?: Omit<ConstructorParameters<typeof Refused>[0], "code">
): Effect.Effect<never, Refused> => Effect.suspend(() => Effect.fail(new Refused({ code, ...more })))

/**
 * Whatever the rules, or the host, can say instead of a success.
 *
 * @category errors
 * @since 0.1.0
 */
export type Refusal =
  | Refused
  | HostRefused
  | ApiKeyExpired
  | ApiKeyInvalid
  | DocumentNotFound
  | InvalidTransition
  | OmRecordNotFound
  | OrganisationInactive
  | OrganisationMissing
  | OrganisationNotFound
  | PortfolioNotFound
  | RepositoryError
  | SiteNotFound
  | SiteNotInPortfolio
  | StorageError
  | TooManyPending
  | UploadMismatch
  | UploadNotFound
  | ValidationFailed
  | VersionMismatch

// A body of one mebibyte can hold a hundred thousand faults; nobody reads more than these.
const maximumFaults = 1_000

const withFaults = (code: ProblemCode, faults: ReadonlyArray<Fault>): Refused =>
  new Refused({ code, errors: faults.slice(0, maximumFaults) })

/** All faults of a request at once; those of a header alone have a code of their own. */
export const refusedFaults = (faults: ReadonlyArray<Fault>, headerFaults: ReadonlyArray<Fault>): Refused =>
  faults.length === 0
    ? withFaults("invalid_header", headerFaults)
    : withFaults("validation_failed", [...faults, ...headerFaults])

const waysOut = ({ allowed, from, to }: InvalidTransition): string => {
  if (allowed.length > 0) return `A document that is ${from} can become ${allowed.join(" or ")}, not ${to}.`
  return from === "failed"
    ? "A document that is failed becomes pending when its upload address is issued again, and nothing else."
    : `A document that is ${from} stays so.`
}

// The life of an address, in seconds: then the first of the pending documents settle.
const pendingRetryAfter = "60"

export const asRefused = (refusal: Refusal): Refused | HostRefused => {
  switch (refusal._tag) {
    case "Refused":
    case "HostRefused":
      return refusal
    case "ValidationFailed":
      return withFaults("validation_failed", refusal.faults)
    case "OrganisationNotFound":
      return new Refused({ code: "organisation_missing" })
    case "RepositoryError":
      return new Refused({ code: refusal.retryable ? "database_unavailable" : "internal" })
    case "InvalidTransition":
      return new Refused({ code: refusal.code, detail: waysOut(refusal) })
    case "TooManyPending":
      return new Refused({ code: refusal.code, headers: { "retry-after": pendingRetryAfter } })
    case "UploadMismatch":
      return new Refused({ code: refusal.code, detail: `It contradicts its declaration: ${refusal.reason}.` })
    case "VersionMismatch":
      return new Refused({ code: refusal.code, detail: `The resource is in version ${refusal.actual}.` })
    default:
      // The effect of a host can fail with what is no refusal, whatever its type says.
      return new Refused({ code: isProblemCode(refusal.code) ? refusal.code : "internal" })
  }
}

/** The status that a refusal is answered with. */
export const statusOf = (refusal: Refusal): number => {
  const refused = asRefused(refusal)
  return refused._tag === "HostRefused" ? refused.status : problems[refused.code].status
}
