/**
 * Tables of the server behind row-level security. Statements over all organisations look users, sessions, links and
 * identities up by a token, a login or a subject, and list work of digests, purges and imports. `console_oidc_login` is
 * not among them: a login that has not come back belongs to no organisation.
 */
import type { SecuredTable } from "@solar-sites/adapter-postgres"

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
