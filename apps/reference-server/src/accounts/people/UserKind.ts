/** Users as records. */
import { eventAbout, makeUnchecked, named, OrganisationId, recordKind, type Stored, UserId } from "@solar-sites/core"
import { Schema } from "effect"
import { DigestChoice } from "../../digest/DigestChoice.ts"
import { loginOf, User } from "./User.ts"

/**
 * A stored user. `passwordVersion` counts changes of the password and of the second factor. A user without a password
 * logs in at an OpenID provider only. `digestSince` is the time of the choice `digest`.
 */
export class UserRecord extends Schema.Class<UserRecord>("@solar-sites/reference-server/UserRecord")({
  ...User.fields,
  login: Schema.String,
  passwordHash: Schema.NullOr(Schema.String),
  passwordVersion: Schema.Int,
  digest: DigestChoice,
  digestSince: Schema.DateTimeUtcFromString
}) {}

export type StoredUser = Stored<UserRecord>

export const userKind = recordKind("user", UserRecord, {
  everywhere: ["login"],
  indexed: ["organisationId", "role"],
  references: [{ member: "organisationId", kind: "organisation" }]
})

/** A deleted user. API keys that it created stay invalid, also those created while it was deleted. */
export class DeletedUserRecord extends Schema.Class<DeletedUserRecord>(
  "@solar-sites/reference-server/DeletedUserRecord"
)({ id: UserId, organisationId: OrganisationId, deletedAt: Schema.DateTimeUtcFromString }) {}

export const deletedUserKind = recordKind("deleted_user", DeletedUserRecord, {
  references: [{ member: "organisationId", kind: "organisation" }]
})

/** An event about a change of a user. */
export const userEvent = eventAbout<UserRecord>(["email", "name", "role", "portfolioIds"], named)

/** The change of the password in an event. No value of it is written anywhere. */
export const passwordChange = { password: { from: null, to: null } }

export const newUser = (user: User, passwordHash: string | null): UserRecord =>
  makeUnchecked(UserRecord, {
    ...{ ...user, login: loginOf(user.email), passwordHash, passwordVersion: 1 },
    ...{ digest: "weekly", digestSince: user.createdAt }
  })

export const changedUser = (user: UserRecord, members: Partial<UserRecord>): UserRecord =>
  makeUnchecked(UserRecord, { ...user, ...members })

export const userOf = ({ createdAt, email, id, name, organisationId, portfolioIds, role }: UserRecord): User =>
  makeUnchecked(User, { id, organisationId, email, name, role, createdAt, portfolioIds })
