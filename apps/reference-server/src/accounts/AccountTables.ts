/**
 * The tables of accounts, in the order in which statements lock their rows. The trigger `console_session_recorded`
 * stays: it writes why a session ended, also of sessions that end by the deletion of their user. So does
 * `console_sessions_ended`: core deactivates an organisation, and knows no sessions.
 */
import { type KindTable, kindTable, PgColumn, type SecuredTable, sql, table } from "@solar-sites/adapter-postgres"
import { DomainRecord, domainKind, IdentityRecord, identityKind } from "./identity/IdentityKind.ts"
import { LinkRecord, linkKind } from "./login/LinkKind.ts"
import { SettingsRecord, settingsKind, viewsInForm } from "./organisation/OrganisationSettings.ts"
import { DeletedUserRecord, deletedUserKind, UserRecord, userKind } from "./people/UserKind.ts"
import { FactorRecord, factorKind } from "./second-factor/FactorKind.ts"
import { SessionRecord, sessionKind } from "./sessions/SessionKind.ts"

const { bigint, boolean, bytes, bytesList, computed, instant, integer, json, nullable, text, uuid, uuids } = PgColumn

/** Links with whether another organisation has claimed the domain of the address. */
const linkRows = sql`(
  select l.xmin, l.*, exists (
    select from ${table("console_login_domain")} d where d.domain = l.domain and d.organisation_id <> l.organisation_id
  ) as is_foreign
  from ${table("console_link")} l
) x`

export const accountTables: ReadonlyArray<KindTable> = [
  kindTable(
    userKind,
    UserRecord,
    {
      id: uuid("id"),
      login: text("login"),
      email: text("email"),
      name: text("name"),
      role: text("role"),
      passwordHash: nullable(text("password_hash")),
      passwordVersion: integer("password_version"),
      createdAt: instant("created_at"),
      digest: text("digest"),
      digestSince: instant("digest_since"),
      portfolioIds: nullable(uuids("portfolio_ids"))
    },
    {
      name: "console_user",
      constraints: ["console_user_pkey", "console_user_organisation"],
      everywhere: { console_user_login: "login" }
    }
  ),
  kindTable(
    factorKind,
    FactorRecord,
    {
      id: uuid("user_id"),
      secret: bytes("secret"),
      enabledAt: nullable(instant("enabled_at")),
      lastStep: bigint("last_step"),
      recoveryCodes: bytesList("recovery_codes")
    },
    {
      name: "console_second_factor",
      id: "user_id",
      kept: ["user_id"],
      constraints: ["console_second_factor_pkey", "console_second_factor_user"]
    }
  ),
  kindTable(
    sessionKind,
    SessionRecord,
    {
      id: uuid("id"),
      userId: uuid("user_id"),
      digest: bytes("digest"),
      passwordVersion: integer("password_version"),
      createdAt: instant("created_at"),
      expiresAt: instant("expires_at"),
      endsAt: instant("ends_at"),
      method: text("method"),
      userAgent: nullable(text("user_agent")),
      usedAt: nullable(instant("used_at"))
    },
    { name: "console_session", kept: ["user_id", "digest"], constraints: ["console_session_user"] }
  ),
  kindTable(
    linkKind,
    LinkRecord,
    {
      id: uuid("id"),
      purpose: text("purpose"),
      digest: bytes("digest"),
      userId: nullable(uuid("user_id")),
      passwordVersion: nullable(integer("password_version")),
      login: text("login"),
      email: text("email"),
      name: nullable(text("name")),
      role: nullable(text("role")),
      portfolioIds: nullable(uuids("portfolio_ids")),
      createdBy: nullable(uuid("created_by")),
      createdAt: instant("created_at"),
      expiresAt: instant("expires_at"),
      mailedAt: nullable(instant("mailed_at")),
      domain: nullable(text("domain")),
      isForeign: computed(boolean, (row) => `${row}.is_foreign`)
    },
    {
      name: "console_link",
      from: linkRows,
      constraints: ["console_link_pkey", "console_link_invited", "console_link_of_user", "console_link_user"]
    }
  ),
  kindTable(
    identityKind,
    IdentityRecord,
    {
      id: uuid("id"),
      userId: uuid("user_id"),
      issuer: text("issuer"),
      subject: text("subject"),
      createdAt: instant("created_at")
    },
    {
      name: "console_identity",
      constraints: ["console_identity_pkey"],
      everywhere: { console_identity_subject: "subject" }
    }
  ),
  kindTable(
    domainKind,
    DomainRecord,
    { id: text("domain") },
    { name: "console_login_domain", id: "domain", constraints: [], everywhere: { console_login_domain_domain: "id" } }
  ),
  kindTable(
    settingsKind,
    SettingsRecord,
    {
      id: uuid("organisation_id"),
      requireSecondFactor: boolean("require_second_factor"),
      views: json("views", viewsInForm)
    },
    { name: "console_organisation", id: "organisation_id", constraints: ["console_organisation_pkey"] }
  ),
  kindTable(
    deletedUserKind,
    DeletedUserRecord,
    { id: uuid("id"), deletedAt: instant("deleted_at") },
    { name: "console_deleted_user", constraints: ["console_deleted_user_pkey"] }
  )
]

/**
 * Tables of the server behind row-level security. Statements over all organisations look users, sessions, links and
 * identities up by a token, a login or a subject, and list work of digests, purges and imports. `console_oidc_login` is
 * not among them: a login that has not come back belongs to no organisation.
 */
export const securedTables: ReadonlyArray<SecuredTable> = [
  { name: "console_user", readers: "across" },
  { name: "console_deleted_user" },
  { name: "console_second_factor", readers: "across" },
  { name: "console_session", readers: "across" },
  { name: "console_ended_session", readers: "across" },
  { name: "console_link", readers: "across" },
  { name: "console_identity", readers: "across" },
  // The rules of an organisation ask whether another one has a domain.
  { name: "console_login_domain", readers: "all" },
  { name: "console_organisation", readers: "across" },
  { name: "console_digest", readers: "across" },
  { name: "console_import", readers: "across" },
  { name: "console_site_import" }
]
