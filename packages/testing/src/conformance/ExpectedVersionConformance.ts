/**
 * Expected versions beyond the range of stores, since `If-Match` accepts any number. They are
 * mismatches, not failures.
 */
import { DocumentRepository, PortfolioRepository, SiteRepository, VersionMismatch } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { currentDocument, type DocumentPorts, insertDocument, siteInOwnOrganisation } from "./DocumentSetup.ts"
import { refused } from "./Expectations.ts"
import {
  changedAt,
  currentPortfolio,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "./Setup.ts"

// The first numbers beyond 32 bits, and the largest safe integer.
const tooGreat = [2 ** 31, 3_000_000_000, Number.MAX_SAFE_INTEGER]

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
      const sites = yield* SiteRepository
      const site = yield* insertSite(yield* insertOrganisation())
      const { id, organisationId } = site
      const update = (siteName: string) => (expectedVersions: ReadonlyArray<number>) =>
        sites.update(organisationId, id, { siteName }, { at: changedAt, expectedVersions })
      yield* mismatches(update("Changed"))
      yield* mismatches((expectedVersions) => sites.delete(organisationId, id, expectedVersions))
      assert.deepEqual(yield* currentSite(site), site, "nothing is changed")
      assert.equal((yield* update("Changed")([...tooGreat, 1])).version, 2, "one of the versions is enough")
      yield* sites.delete(organisationId, id, [2, ...tooGreat])
    })
  }
]

export const portfolioExpectedVersionCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "treats an expected version beyond any range as a mismatch, alone and among others",
    check: Effect.gen(function* () {
      const portfolios = yield* PortfolioRepository
      const portfolio = yield* insertPortfolio(yield* insertOrganisation())
      const { id, organisationId } = portfolio
      const update = (name: string) => (expectedVersions: ReadonlyArray<number>) =>
        portfolios.update(organisationId, id, { name }, { at: changedAt, expectedVersions })
      yield* mismatches(update("Changed"))
      yield* mismatches((expectedVersions) =>
        portfolios.delete(organisationId, id, { at: changedAt, expectedVersions })
      )
      assert.deepEqual(yield* currentPortfolio(portfolio), portfolio, "nothing is changed")
      assert.equal((yield* update("Changed")([...tooGreat, 1])).version, 2, "one of the versions is enough")
      yield* portfolios.delete(organisationId, id, { at: changedAt, expectedVersions: [2, ...tooGreat] })
    })
  }
]

export const documentExpectedVersionCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "treats an expected version beyond any range as a mismatch, alone and among others",
    check: Effect.gen(function* () {
      const documents = yield* DocumentRepository
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
