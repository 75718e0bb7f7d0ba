/**
 * Changes of sites where another organisation has sites and portfolios with the same ids.
 */

import { VersionMismatch } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { siteMethods } from "../../src/conformance/Methods.ts"
import { changedAt, currentSite, type RecordPorts } from "../../src/conformance/Setup.ts"
import { aSite } from "../../src/fixtures.ts"
import { forEitherTwin } from "./TwinSetup.ts"

export const siteIsolationCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "changes an organisation's own site where another one has the same ids",
    check: forEitherTwin(({ inFirst, organisationId, second }, other) =>
      Effect.gen(function* () {
        const { insert, update } = yield* siteMethods
        const stale = update(
          organisationId,
          inFirst.id,
          {},
          { at: changedAt, expectedVersions: [other.inFirst.version] }
        )
        const { actual } = yield* refused(stale, VersionMismatch, "the version of the other site")
        assert.equal(actual, inFirst.version, "the refusal tells the version of the organisation's own site")
        let site = inFirst
        for (const changes of [{ siteName: "Changed" }, { portfolioId: second.id }, { portfolioId: null }]) {
          const expected = aSite({ ...site, ...changes, updatedAt: changedAt, version: site.version + 1 })
          assert.deepEqual(yield* update(organisationId, site.id, changes, { at: changedAt }), expected, "the answer")
          assert.deepEqual(yield* currentSite(site), expected, "what is stored")
          site = expected
        }
        assert.deepEqual(yield* update(organisationId, site.id, {}, { at: changedAt }), site, "an update of nothing")
        assert.deepEqual(yield* insert(organisationId, inFirst), site, "a repeated insert")
      })
    )
  }
]
