/**
 * Error messages of the command line for refusals of core and of accounts.
 */
import type {
  AccessRefused,
  ApiKeyNotFound,
  KeysNotManageable,
  OrganisationNotFound,
  PortfoliosNotFound,
  RepositoryError,
  TooManyApiKeys,
  ValidationFailed
} from "@solar-sites/core"
import type { DomainTaken } from "./accounts/identity/LoginDomains.ts"
import type { PasswordRefused } from "./accounts/login/Password.ts"
import type { EmailTaken, LastOwner, OwnerLimited, UserNotFound } from "./accounts/people/User.ts"
import type { SecondFactorState } from "./accounts/second-factor/FactorRules.ts"
import { Failure } from "./Failure.ts"

/** Expected errors of a command. */
export type Refusal =
  | AccessRefused
  | ApiKeyNotFound
  | DomainTaken
  | EmailTaken
  | Failure
  | KeysNotManageable
  | LastOwner
  | OrganisationNotFound
  | OwnerLimited
  | PasswordRefused
  | PortfoliosNotFound
  | RepositoryError
  | SecondFactorState
  | TooManyApiKeys
  | UserNotFound
  | ValidationFailed

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const messageFor = (refusal: Exclude<Refusal, Failure>): string => {
  switch (refusal._tag) {
    case "OrganisationNotFound":
      return `There is no organisation with the id ${refusal.organisationId}.`
    case "ApiKeyNotFound":
      return `There is no API key with the id ${refusal.apiKeyId}.`
    case "PortfoliosNotFound":
      return `The organisation has no portfolio with the id ${refusal.portfolioIds.join(", ")}.`
    case "UserNotFound":
      return `There is no user with the id ${refusal.userId}.`
    case "LastOwner":
      return "An organisation with users needs an owner: make another user owner first, or delete the organisation."
    case "OwnerLimited":
      return "An owner cannot be limited to portfolios: give another role, or no limit."
    case "EmailTaken":
      return `There is a user with the e-mail address ${refusal.email} already.`
    case "SecondFactorState":
      return "The user has no second factor."
    case "DomainTaken":
      return `Nothing was changed: another organisation has ${refusal.domains.join(", ")}.`
    case "PasswordRefused":
      return `The password ${refusal.reason}.`
    case "TooManyApiKeys":
      return `The organisation has ${refusal.maximum} live API keys, the maximum; delete one first, or rotate with --overlap 0s.`
    case "KeysNotManageable":
      return "A key cannot manage keys."
    case "CallerLimited":
    case "PortfolioRequired":
    case "ScopeMissing":
      return `${refusal.message}.`
    case "ValidationFailed":
      return refusal.faults.map(({ detail, pointer }) => `${pointer.slice(1)} ${detail}.`).join(" ")
    case "RepositoryError":
      return refusal.retryable
        ? `The database cannot be used: ${messageOf(refusal.cause)}.`
        : `The database refused ${refusal.operation}: ${messageOf(refusal.cause)}.`
  }
}

export const toFailure = (refusal: Refusal): Failure =>
  refusal._tag === "Failure" ? refusal : new Failure({ message: messageFor(refusal) })
