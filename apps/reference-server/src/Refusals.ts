/**
 * Error messages of the command line for refusals of core and of accounts.
 */
import type {
  AccessRefused,
  ApiKeyNotFound,
  OrganisationNotFound,
  PortfoliosNotFound,
  RepositoryError,
  TooManyApiKeys,
  ValidationFailed
} from "@solar-sites/core"
import type { DomainTaken } from "./accounts/identity/LoginDomains.ts"
import type { PasswordRefused } from "./accounts/login/Password.ts"
import type { EmailTaken, UserNotFound } from "./accounts/people/User.ts"
import { Failure, messageOf } from "./Failure.ts"

/** The refusals that a table has entries for: with the members that an entry reads, else by their tag. */
export type RefusalsIn<Table> = {
  readonly [Tag in keyof Table]: Table[Tag] extends (refusal: infer One) => unknown ? One : { readonly _tag: Tag }
}[keyof Table]

const accessRefused = ({ message }: AccessRefused) => `${message}.`

const messages = {
  OrganisationNotFound: ({ organisationId }: OrganisationNotFound) =>
    `There is no organisation with the id ${organisationId}.`,
  ApiKeyNotFound: ({ apiKeyId }: ApiKeyNotFound) => `There is no API key with the id ${apiKeyId}.`,
  PortfoliosNotFound: ({ portfolioIds }: PortfoliosNotFound) =>
    `The organisation has no portfolio with the id ${portfolioIds.join(", ")}.`,
  UserNotFound: ({ userId }: UserNotFound) => `There is no user with the id ${userId}.`,
  LastOwner: "An organisation with users needs an owner: make another user owner first, or delete the organisation.",
  OwnerLimited: "An owner cannot be limited to portfolios: give another role, or no limit.",
  EmailTaken: ({ email }: EmailTaken) => `There is a user with the e-mail address ${email} already.`,
  SecondFactorState: "The user has no second factor.",
  DomainTaken: ({ domains }: DomainTaken) => `Nothing was changed: another organisation has ${domains.join(", ")}.`,
  PasswordRefused: ({ reason }: PasswordRefused) => `The password ${reason}.`,
  TooManyApiKeys: ({ maximum }: TooManyApiKeys) =>
    `The organisation has ${maximum} live API keys, the maximum; delete one first, or rotate with --overlap 0s.`,
  KeysNotManageable: "A key cannot manage keys.",
  CallerLimited: accessRefused,
  PortfolioRequired: accessRefused,
  ScopeMissing: accessRefused,
  ValidationFailed: ({ faults }: ValidationFailed) =>
    faults.map(({ detail, pointer }) => `${pointer.slice(1)} ${detail}.`).join(" "),
  RepositoryError: ({ cause, operation, retryable }: RepositoryError) =>
    `The database ${retryable ? "cannot be used" : `refused ${operation}`}: ${messageOf(cause)}.`
}

/** Expected errors of a command. */
export type Refusal = Failure | RefusalsIn<typeof messages>

export const toFailure = (refusal: Refusal): Failure => {
  if (refusal._tag === "Failure") return refusal
  // The entry of a tag takes the refusal with that tag, which an index by a union cannot express.
  const entry = messages[refusal._tag] as string | ((refusal: unknown) => string)
  return new Failure({ message: typeof entry === "string" ? entry : entry(refusal) })
}
