/** Users of the console. They belong to this server: a host of the library has its own users. */
import { Name, normalised, OrganisationId, PortfolioId, UserId } from "@solar-sites/core"
import { Data, Schema, SchemaTransformation } from "effect"
import { Role } from "./Role.ts"

const forbidden = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u
const longest = 254

/** The length is judged first: all other work grows with it. */
export const isEmail = (text: string): boolean =>
  text.length <= longest &&
  text.isWellFormed() &&
  !forbidden.test(text) &&
  /^\s*[^\s@]+@[^\s@]+\s*$/u.test(text) &&
  normalised(text, "NFKC") !== null

/** An e-mail address in NFC, without surrounding white space. */
export const Email = Schema.String.check(Schema.makeFilter(isEmail, { message: "must be an e-mail address" })).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (text: string) => text.normalize("NFC").trim(),
      encode: (text: string) => text
    })
  )
)

/** Unique form of an e-mail address: case and width of letters do not matter. */
export const loginOf = (email: string): string =>
  // A longer address belongs to no user, nor does one that is not normalised.
  ((email.length > longest ? null : normalised(email, "NFKC")) ?? email).trim().toLowerCase()

/** Id of a user of this server: a UUID, where core accepts any text. */
export const AccountId = Schema.String.check(Schema.isGUID({ format: "uuid", message: "must be a UUID" })).pipe(
  Schema.decodeTo(
    UserId,
    SchemaTransformation.transform({ decode: (text: string) => text.toLowerCase(), encode: (text: string) => text })
  )
)

/** None if it is no UUID. */
export const parseAccountId = Schema.decodeUnknownOption(AccountId)

/** With `portfolioIds` it reaches these portfolios alone, and nothing when the list is empty; null is no limit. */
export class User extends Schema.Class<User>("@solar-sites/reference-server/User")({
  id: UserId,
  organisationId: OrganisationId,
  email: Email,
  name: Name,
  role: Role,
  createdAt: Schema.DateTimeUtcFromString,
  portfolioIds: Schema.NullOr(Schema.Array(PortfolioId))
}) {}

/** A user by its ids. */
export type UserIds = Pick<User, "id" | "organisationId">

export class UserNotFound extends Data.TaggedError("UserNotFound")<{ readonly userId: UserId }> {}

/** The organisation would have users but no owner. */
export class LastOwner extends Data.TaggedError("LastOwner")<Record<never, never>> {}

/** An owner cannot be limited to portfolios, nor a limited user be an owner. */
export class OwnerLimited extends Data.TaggedError("OwnerLimited")<Record<never, never>> {}

/** A user of any organisation has this e-mail address. */
export class EmailTaken extends Data.TaggedError("EmailTaken")<{ readonly email: string }> {}
