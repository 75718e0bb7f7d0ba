/**
 * Changes that no test can notice, by area and name, each with the reason.
 */
import type { Listed } from "./judge.ts"

const locksMore = "locks more rows; the part of the statement that changes rows names the organisation"
const uniqueId = "an id of an API key is unique in the database, and was looked up in the organisation"
const joined = "another condition of the same join names the organisation"

export const equivalents: Readonly<Record<string, Listed>> = {
  statements: {
    "PgApiKeyInsertion.ts ApiKeyStore.rotate: k.organisation_id = $1::uuid": locksMore,
    "PgApiKeyInsertion.ts ApiKeyStore.rotate: k.organisation_id = $1::uuid (2)": uniqueId,
    "PgApiKeyRemoval.ts removeKeysOf: k.organisation_id = $1::uuid": locksMore,
    "PgApiKeyRemoval.ts removeKeysOf: k.organisation_id = $1::uuid (2)": uniqueId,
    "PgApiKeyStore.ts ApiKeyStore.recordUses: k.organisation_id = $1::uuid": locksMore,
    "PgApiKeyStore.ts ApiKeyStore.recordUses: k.organisation_id = $1::uuid (2)": uniqueId,
    "PgEventRepository.ts pageStatement: q.organisation_id = $1::uuid of sequenceAt":
      "a lower bound of sequences; the instant decides beside it",
    "PgPortfolioMembership.ts PortfolioRepository.delete: l.organisation_id = $1::uuid": locksMore,
    "PgPortfolioMembership.ts PortfolioRepository.delete: r.organisation_id = $1::uuid": locksMore,
    "PgPortfolioMembership.ts PortfolioRepository.delete: r.organisation_id = l.organisation_id": joined,
    "PgPortfolioMembership.ts PortfolioRepository.delete: r.organisation_id = $1::uuid (2)": joined,
    "PgWebhookQueue.ts WebhookQueue.purge: d.organisation_id = $1::uuid": locksMore
  }
}
