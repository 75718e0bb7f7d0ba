/**
 * Expected versions beyond the range of stores, since `If-Match` accepts any number. They are
 * mismatches, not failures.
 */

import { VersionMismatch } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  currentDocument,
  type DocumentPorts,
  insertDocument,
  siteInOwnOrganisation
} from "../../src/conformance/DocumentSetup.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { documentMethods, portfolioMethods, siteMethods } from "../../src/conformance/Methods.ts"
import {
  changedAt,
  currentPortfolio,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts,
  tooGreat
} from "../../src/conformance/Setup.ts"

/** Expects a mismatch with version 1 for each of these versions. */
const mismatches = Effect.fnUntraced(function* (
  attempt: (expectedVersions: ReadonlyArray<number>) => Effect.Effect<unknown, unknown>
) {
  for (const version of tooGreat) {
    const { actual } = yield* refused(attempt([version]), VersionMismatch, `version ${version}`)
    assert.equal(actual, 1, "the refusal tells the version there is")
  }
})

export const siteExpectedVersionCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "treats an expected version beyond any range as a mismatch, alone and among others",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const site = yield* insertSite(yield* insertOrganisation())
      const { id, organisationId } = site
      const update = (siteName: string) => (expectedVersions: ReadonlyArray<number>) =>
        sites.update(organisationId, id, { siteName }, { at: changedAt, expectedVersions })
      yield* mismatches(update("Changed"))
      assert.deepEqual(yield* currentSite(site), site, "nothing is changed")
      assert.equal((yield* update("Changed")([...tooGreat, 1])).version, 2, "one of the versions is enough")
    })
  }
]

export const portfolioExpectedVersionCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "treats an expected version beyond any range as a mismatch, alone and among others",
    check: Effect.gen(function* () {
      const { update } = yield* portfolioMethods
      const portfolio = yield* insertPortfolio(yield* insertOrganisation())
      const { id, organisationId } = portfolio
      const rename = (expectedVersions: ReadonlyArray<number>) =>
        update(organisationId, id, { name: "Changed" }, { at: changedAt, expectedVersions })
      yield* mismatches(rename)
      assert.deepEqual(yield* currentPortfolio(portfolio), portfolio, "nothing is changed")
      assert.equal((yield* rename([...tooGreat, 1])).version, 2, "one of the versions is enough")
    })
  }
]

export const documentExpectedVersionCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "treats an expected version beyond any range as a mismatch, alone and among others",
    check: Effect.gen(function* () {
      const documents = yield* documentMethods
      const document = yield* insertDocument(yield* siteInOwnOrganisation)
      const { id, organisationId } = document
      const step = (expectedVersions: ReadonlyArray<number>) =>
        documents.step(organisationId, id, { to: "uploaded", sizeBytes: 1 }, { at: changedAt, expectedVersions })
      yield* mismatches(step)
      yield* mismatches((expectedVersions) => documents.delete(organisationId, id, { at: changedAt, expectedVersions }))
      assert.deepEqual(yield* currentDocument(document), document, "nothing is changed")
      assert.equal((yield* step([...tooGreat, 1])).version, 2, "one of the versions is enough")
      yield* documents.delete(organisationId, id, { at: changedAt, expectedVersions: [2, ...tooGreat] })
    })
  }
]
