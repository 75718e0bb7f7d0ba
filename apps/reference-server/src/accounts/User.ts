/**
 * Who can log in to the console. Users belong to this server, not to the core:
 * a host of the library has users of its own.
 */
import { Name, OrganisationId, UserId } from "@solar-sites/core"
import { Schema, SchemaTransformation } from "effect"

const forbidden = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u
const longest = 254

export const isEmail = (text: string): boolean =>
  text.isWellFormed() && text.length <= longest && !forbidden.test(text) && /^\s*[^\s@]+@[^\s@]+\s*$/u.test(text)

/** An e-mail address, as it was written but for white space around it. */
export const Email = Schema.String.check(Schema.makeFilter(isEmail, { message: "must be an e-mail address" })).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (text: string) => text.normalize("NFC").trim(),
      encode: (text: string) => text
    })
  )
)

/**
 * What is compared of an e-mail address: neither case nor the width of letters
 * tells two users apart.
 */
export const loginOf = (email: string): string =>
  // What is too long to be anybody's can take long to compose.
  (email.length > longest ? email : email.normalize("NFKC")).trim().toLowerCase()

/** The id of a user of this server, which is a UUID. */
export const AccountId = Schema.String.check(Schema.isGUID({ format: "uuid", message: "must be a UUID" })).pipe(
  Schema.decodeTo(
    UserId,
    SchemaTransformation.transform({ decode: (text: string) => text.toLowerCase(), encode: (text: string) => text })
  )
)

export class User extends Schema.Class<User>("@solar-sites/reference-server/User")({
  id: UserId,
  organisationId: OrganisationId,
  email: Email,
  name: Name,
  createdAt: Schema.DateTimeUtcFromString
}) {}

export class UserNotFound extends Schema.TaggedError<UserNotFound>("@solar-sites/reference-server/UserNotFound")(
  "UserNotFound",
  { userId: UserId }
) {}

/** Somebody has this e-mail address already, in whichever organisation. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>("@solar-sites/reference-server/EmailTaken")(
  "EmailTaken",
  { email: Schema.String }
) {}
