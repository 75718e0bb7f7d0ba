/**
 * The records of each kind in the in-memory database.
 */
import { type AnyKind, ApiKeyRecord, type Portfolio, type Site, withTotals } from "@solar-sites/core"
import type { MemoryOrganisation } from "./MemoryDatabase.ts"
import { documentRecordsOf, fileRecordsOf } from "./MemoryDocumentRecords.ts"
import { existing, kept, type MemoryKind } from "./MemoryKind.ts"
import { frozenPortfolio, sitesOf } from "./MemoryPortfolio.ts"
import { frozenSite } from "./MemorySite.ts"
import { webhookRecordsOf } from "./MemoryWebhook.ts"

const frozenApiKey = (apiKey: ApiKeyRecord): ApiKeyRecord =>
  Object.freeze(new ApiKeyRecord(apiKey, { disableChecks: true }))

/** A frozen copy of a record without objects in its members. */
const frozen = <Stored extends object>(record: Stored): Stored => Object.freeze({ ...record })

/** The records of a kind; none of an organisation that does not exist. */
export const kindOf = (
  owner: MemoryOrganisation | undefined,
  { isExistence, name }: Pick<AnyKind, "name" | "isExistence">
): MemoryKind => {
  if (owner === undefined) return existing(new Map())
  switch (name) {
    case "organisation":
      return existing(new Map(owner.organisation ? [[owner.organisation.id, owner.organisation]] : []))
    case "portfolio":
      return isExistence
        ? existing(owner.portfolios)
        : {
            ...kept(owner.portfolios, frozenPortfolio),
            // A stored record of the map is a portfolio.
            read: (portfolio) => {
              const { id } = portfolio as Portfolio
              return withTotals(portfolio as Portfolio, sitesOf(owner, id))
            }
          }
    case "site":
      return kept(owner.sites, (site: Site) => frozenSite(site))
    case "document":
      return documentRecordsOf(owner)
    case "file":
      return fileRecordsOf(owner)
    case "api_key":
      return kept(owner.apiKeys, frozenApiKey)
    case "webhook":
      return webhookRecordsOf(owner)
    case "requirement_list":
      return kept(owner.requirementLists, frozen)
    case "requirement":
      return kept(owner.requirements, frozen)
    default:
      throw new Error(`${name} is no kind of record`)
  }
}
