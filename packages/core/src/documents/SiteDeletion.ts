/**
 * Deletion of a site with its documents over any store of records, for adapters without a statement of their own.
 */
import { Effect, Result } from "effect"
import { reachParts } from "../caller/Reach.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import { type Decision, makeDeciding } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import type { Find } from "../records/RecordKind.ts"
import { Records } from "../records/Records.ts"
import { recordsIn } from "../records/RecordsWithin.ts"
import type { SiteId } from "../sites/Site.ts"
import { siteEvent, siteKind } from "../sites/SiteKind.ts"
import type { SiteRepository } from "../sites/SiteRepository.ts"
import { type CheckedVersion, checkedVersion } from "../versions/CheckedVersion.ts"
import type { ExpectedVersions } from "../versions/Version.ts"
import { documentEvent, documentKind, fileKind } from "./DocumentKind.ts"
import { listForDeletion } from "./FileRules.ts"

/** The records that the deletion of a site reads. */
export const findsOfSiteDeletion = (siteId: SiteId): ReadonlyArray<Find> => {
  const documents = { kind: documentKind, by: "siteId", values: [siteId] }
  return [
    { kind: siteKind, by: "id", values: [siteId] },
    documents,
    { kind: fileKind, by: "id", values: { of: documents, member: "id" } }
  ]
}

/** Deletes a site that has an expected version, with its documents, and lists their files for deletion. */
export const deleteSiteWithDocuments =
  (siteId: SiteId, expectedVersions: ExpectedVersions, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<CheckedVersion | null>> => {
    const site = found.byId(siteKind, siteId)
    const answer = checkedVersion(expectedVersions, site?.record)
    if (site === null || answer?.isExpected !== true) return Result.succeed({ answer, change: null })
    const documents = found.all(documentKind, "siteId", siteId)
    return Result.succeed({
      answer,
      change: {
        writes: [
          { kind: siteKind, id: siteId, before: site, after: null },
          ...documents.flatMap((before) => [
            { kind: documentKind, id: before.record.id, before, after: null },
            ...listForDeletion(found, before.record)
          ])
        ],
        events: [
          siteEvent("site.deleted", site.record, null),
          ...documents.map(({ record }) => documentEvent("document.deleted", record, null))
        ],
        origin,
        at: origin.occurredAt
      }
    })
  }

/** A method of `SiteRepository`. */
export const siteDeletion: Effect.Effect<Pick<SiteRepository["Service"], "delete">, never, Records> = Effect.map(
  Records,
  (records) => ({
    delete: (reach, siteId, { expectedVersions, origin }) =>
      makeDeciding(recordsIn(records, reach)).create(
        {
          operation: "SiteRepository.delete",
          organisationId: reachParts(reach).organisationId,
          finds: findsOfSiteDeletion(siteId),
          rule: deleteSiteWithDocuments(siteId, expectedVersions, origin)
        },
        null
      )
  })
)
