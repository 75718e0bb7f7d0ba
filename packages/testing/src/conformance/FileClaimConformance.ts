/**
 * Files under a claim of one call in a `DocumentMaintenance`.
 */

import { DocumentMaintenance, FileNotDeleted } from "@solar-sites/core"
import { DateTime, Duration, Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  claimFiles,
  type DocumentPorts,
  farFuture,
  insertDocument,
  insertRefusedDocuments,
  siteInOwnOrganisation
} from "./DocumentSetup.ts"
import { failed, refused } from "./Expectations.ts"
import { documentMethods } from "./Methods.ts"
import { changedAt } from "./Setup.ts"

const at = (seconds: number) => DateTime.add(changedAt, { seconds })

/** Inserts and deletes a document, so that its file is listed. */
const deleted = Effect.gen(function* () {
  const document = yield* insertDocument(yield* siteInOwnOrganisation)
  yield* (yield* documentMethods).delete(document.organisationId, document.id, { at: changedAt })
  return document
})

export const fileClaimCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "refuses other claims, those of the sweeper included, until a claim ends",
    check: Effect.gen(function* () {
      const [maintenance, repository] = [yield* DocumentMaintenance, yield* documentMethods]
      const refusedOne = (kind: "contradicting" | "rejected") =>
        Effect.map(Effect.flatMap(siteInOwnOrganisation, insertRefusedDocuments), (documents) => documents[kind])
      for (const listed of [refusedOne("contradicting"), refusedOne("rejected"), deleted]) {
        // One at a time: the sweeper claims every listed file.
        const { id, organisationId, path } = yield* listed
        const claim = (from: number, until: number) =>
          repository.claimFile(organisationId, path, { now: at(from), until: at(until) })
        assert.equal(yield* claim(0, 30), true)
        yield* refused(claim(29, 60), FileNotDeleted, "claimed until 30")
        const isSwept = (from: number, until: number) =>
          Effect.map(claimFiles([organisationId], at(from), at(until)), (keys) => keys.includes(path))
        assert.equal(yield* isSwept(29, 60), false, "not for the sweeper either")
        assert.equal(yield* claim(30, 60), true, "the first claim has ended")
        const forget = { now: at(31), uploadsEndAfter: Duration.zero }
        yield* maintenance.forgetDeleted(organisationId, [path], { ...forget, claimedUntil: at(30) })
        yield* refused(claim(59, 90), FileNotDeleted, "the first claim has ended, and does nothing to the second")
        assert.equal(yield* isSwept(60, 90), true, "the sweeper deletes what was left")
        yield* refused(claim(61, 99), FileNotDeleted, "claimed by the sweeper")
        yield* failed(
          repository.reopen(organisationId, id, { at: changedAt, addressExpiresAt: farFuture, claimedUntil: at(30) }),
          "a claim that has ended"
        )
      }
    })
  }
]
