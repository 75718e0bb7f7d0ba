/** Sessions as records. */
import { OrganisationId, recordKind, UserId } from "@solar-sites/core"
import { Schema } from "effect"

/** How the user was authenticated. */
export const LoginMethod = Schema.Literals(["password", "oidc", "link"])
export type LoginMethod = typeof LoginMethod.Type

/**
 * Why a session has ended. `password`: by a change of the password or of the second factor. `ended`: by the user on
 * another device, or by a manager.
 */
export const EndReason = Schema.Literals(["expired", "idle", "password", "removed", "ended"])
export type EndReason = typeof EndReason.Type

/**
 * A stored session, good for one version of the password. It ends at `endsAt`, which moves with its use, and never
 * after `expiresAt`. `usedAt` is exact to a minute, and null until the first use.
 */
export class SessionRecord extends Schema.Class<SessionRecord>("@solar-sites/reference-server/SessionRecord")({
  id: Schema.String,
  organisationId: OrganisationId,
  userId: UserId,
  digest: Schema.String,
  passwordVersion: Schema.Int,
  createdAt: Schema.DateTimeUtcFromString,
  expiresAt: Schema.DateTimeUtcFromString,
  endsAt: Schema.DateTimeUtcFromString,
  method: LoginMethod,
  userAgent: Schema.NullOr(Schema.String),
  usedAt: Schema.NullOr(Schema.DateTimeUtcFromString)
}) {}

export const sessionKind = recordKind("session", SessionRecord, {
  generated: ["id", "digest"],
  indexed: ["digest"],
  references: [
    { member: "organisationId", kind: "organisation" },
    { member: "userId", kind: "user", cascade: true }
  ]
})
