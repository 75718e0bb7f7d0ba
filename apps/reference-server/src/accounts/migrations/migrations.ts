/** Migrations of the server's own tables, applied after those of the library. */
import type { Migration } from "@solar-sites/adapter-postgres"
import * as accounts from "./0001_accounts.ts"
import * as deletedOrganisations from "./0002_deleted_organisations.ts"
import * as roles from "./0003_roles.ts"
import * as links from "./0004_links.ts"
import * as openIdConnect from "./0005_openid_connect.ts"
import * as secondFactor from "./0006_second_factor.ts"
import * as imports from "./0007_imports.ts"
import * as sessionsEndFirst from "./0008_sessions_end_first.ts"
import * as siteImports from "./0009_site_imports.ts"
import * as endedSessions from "./0010_ended_sessions.ts"
import * as invitationDomains from "./0011_invitation_domains.ts"
import * as digest from "./0012_digest.ts"
import * as records from "./0013_records.ts"
import * as userPortfolios from "./0014_user_portfolios.ts"
import * as userLanguage from "./0015_user_language.ts"
import * as sharedViews from "./0016_shared_views.ts"

/** In order of application. A published migration never changes. */
export const migrations: ReadonlyArray<Migration> = [
  { name: "console_0001_accounts", sql: accounts.sql },
  { name: "console_0002_deleted_organisations", sql: deletedOrganisations.sql },
  { name: "console_0003_roles", sql: roles.sql },
  { name: "console_0004_links", sql: links.sql },
  { name: "console_0005_openid_connect", sql: openIdConnect.sql },
  { name: "console_0006_second_factor", sql: secondFactor.sql },
  { name: "console_0007_imports", sql: imports.sql },
  { name: "console_0008_sessions_end_first", sql: sessionsEndFirst.sql },
  { name: "console_0009_site_imports", sql: siteImports.sql },
  { name: "console_0010_ended_sessions", sql: endedSessions.sql },
  { name: "console_0011_invitation_domains", sql: invitationDomains.sql },
  { name: "console_0012_digest", sql: digest.sql },
  { name: "console_0013_records", sql: records.sql },
  { name: "console_0014_user_portfolios", sql: userPortfolios.sql },
  { name: "console_0015_user_language", sql: userLanguage.sql },
  { name: "console_0016_shared_views", sql: sharedViews.sql }
]
