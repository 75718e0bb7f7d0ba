/** Links that are used once, as records: invitations, new passwords, new e-mail addresses. */
import { OrganisationId, PortfolioId, recordKind, UserId } from "@solar-sites/core"
import { Schema } from "effect"
import { Role } from "../people/Role.ts"

/**
 * A stored link, found by the digest of its token. The link of a user has `userId`, and is good for one version of the
 * password. An invitation has the role and the portfolios, its inviter, and the domain of the address; another organisation may have
 * claimed that domain (`isForeign`).
 */
export class LinkRecord extends Schema.Class<LinkRecord>("@solar-sites/reference-server/LinkRecord")({
  id: Schema.String,
  organisationId: OrganisationId,
  purpose: Schema.Literals(["invitation", "reset", "email"]),
  digest: Schema.String,
  userId: Schema.NullOr(UserId),
  passwordVersion: Schema.NullOr(Schema.Int),
  login: Schema.String,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  role: Schema.NullOr(Role),
  portfolioIds: Schema.NullOr(Schema.Array(PortfolioId)),
  createdBy: Schema.NullOr(UserId),
  createdAt: Schema.DateTimeUtcFromString,
  expiresAt: Schema.DateTimeUtcFromString,
  mailedAt: Schema.NullOr(Schema.DateTimeUtcFromString),
  domain: Schema.NullOr(Schema.String),
  isForeign: Schema.Boolean
}) {}

export const linkKind = recordKind("link", LinkRecord, {
  generated: ["id", "digest"],
  indexed: ["organisationId", "digest", "createdBy"],
  references: [
    { member: "organisationId", kind: "organisation" },
    { member: "userId", kind: "user", cascade: true }
  ],
  computed: ["isForeign"]
})
