/** Names of users at OpenID providers, and claimed domains, as records. */
import { OrganisationId, recordKind, UserId } from "@solar-sites/core"
import { Schema } from "effect"

/** The name of a user at a provider. It stays when its user is deleted, so that no login creates the user again. */
export class IdentityRecord extends Schema.Class<IdentityRecord>("@solar-sites/reference-server/IdentityRecord")({
  id: Schema.String,
  organisationId: OrganisationId,
  userId: UserId,
  issuer: Schema.String,
  subject: Schema.String,
  createdAt: Schema.DateTimeUtcFromString
}) {}

/** Subjects are unique within an issuer. */
export const identityKind = recordKind("identity", IdentityRecord, {
  generated: ["id"],
  everywhere: ["subject"],
  indexed: ["userId", "subject"],
  references: [{ member: "organisationId", kind: "organisation" }]
})

/** A domain of e-mail addresses, which is the id. One organisation at most has it. */
export class DomainRecord extends Schema.Class<DomainRecord>("@solar-sites/reference-server/DomainRecord")({
  id: Schema.String,
  organisationId: OrganisationId
}) {}

export const domainKind = recordKind("login_domain", DomainRecord, {
  everywhere: ["id"],
  indexed: ["organisationId"],
  references: [{ member: "organisationId", kind: "organisation" }]
})
