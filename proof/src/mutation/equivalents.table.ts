/**
 * Changes that no test can notice, by area and name, each with the reason.
 */
import type { Listed } from "./judge.ts"

const locksMore =
  "locks a key of another organisation; the part of the statement that changes rows names the organisation"
const locksOwn = "locks more rows of the organisation itself"
const uniqueId = "an id of an API key is unique in the database, and was looked up in the organisation"
const uniqueUser =
  "an id of a user is unique in the database, and foreign keys tie the other rows to the user's organisation"
const joined = "another condition of the same join names the organisation"
const purged = "what has ended is deleted in every organisation that has some, in a statement each"
const heldBeside = "the portfolios are those of row-level security; a condition of the statement holds beside"
const storedInCall = "repositories store a record in the organisation of the call, and ignore that of the record"

export const equivalents: Readonly<Record<string, Listed>> = {
  statements: {
    "PgApiKeyStore.ts ApiKeyStore.recordUses: k.organisation_id = $1::uuid": locksMore,
    "PgApiKeyStore.ts ApiKeyStore.recordUses: k.organisation_id = $1::uuid (2)": uniqueId,
    "CoverageScopes.ts scopesWith: q.organisation_id = $1::uuid":
      "a scope without requirements of its own has those of all others",
    "CoverageSummaryText.ts summaryText: s.organisation_id = $1::uuid of sites":
      "rows are grouped by site, and those of sites that the organisation does not have are dropped",
    "PgEventRepository.ts pageStatement: q.organisation_id = $1::uuid of sequenceAt":
      "a lower bound of sequences; the instant decides beside it",
    "PgPortfolioMembership.ts PortfolioRepository.delete: r.organisation_id = $1::uuid": locksOwn,
    "PgPortfolioMembership.ts PortfolioRepository.delete: r.organisation_id = l.organisation_id": joined,
    "PgPortfolioMembership.ts PortfolioRepository.delete: r.organisation_id = $1::uuid (2)": joined
  },
  "server-statements": {
    "SessionStatements.ts SessionStatements.find: f.organisation_id = s.organisation_id": uniqueUser,
    "SessionStatements.ts SessionStatements.find: u.organisation_id = s.organisation_id": uniqueUser,
    "SessionStatements.ts SessionStatements.useLanguage: u.organisation_id = ${organisationId}::uuid": uniqueUser,
    "DigestStore.ts organisations: d.organisation_id = u.organisation_id of users": uniqueUser,
    "DigestStore.ts DigestStore.choiceOf: u.organisation_id = ${organisationId}::uuid": uniqueUser,
    "DigestStore.ts DigestStore.claim: d.organisation_id = u.organisation_id of users": uniqueUser,
    "DigestStore.ts DigestStore.retryAt: organisation_id = ${organisationId}::uuid": uniqueUser,
    "DigestStore.ts DigestStore.linkKey: d.organisation_id = ${organisationId}::uuid": uniqueUser,
    "LinkStatements.ts LinkStatements.deleteExpired: organisation_id = ${organisationId}::uuid": purged,
    "SessionStatements.ts SessionStatements.deleteEnded: organisation_id = ${organisationId}::uuid": purged,
    "SessionStatements.ts SessionStatements.deleteEnded: s.organisation_id = o.id": purged,
    "0010_ended_sessions.ts sql: u.organisation_id = o.id": uniqueUser
  },
  "limit-conditions": {
    "PgDocumentRepository.ts makeRevisionList: without reachParts(reach)": heldBeside,
    "PgEventRepository.ts scope: without reachParts(reach)": heldBeside
  },
  arguments: {
    "Portfolios.ts portfolios: organisationId of make": storedInCall,
    "SiteBulk.ts make: organisationId of newSite": storedInCall,
    "Sites.ts site: organisationId of newSite": storedInCall
  }
}
