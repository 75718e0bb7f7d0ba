/**
 * Promises of every `Records`: loaded records, and changes that happen as a whole or not at all.
 */
import { Records, SiteRepository, siteKind } from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase, ConformanceSuite } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { furtherRecordsCases } from "./RecordsFurtherConformance.ts"
import { recordsOfKeysCases } from "./RecordsOfKeysConformance.ts"
import { changed, commitSite, createdSite, isStale, loadedSite, loadSite, type RecordsPorts } from "./RecordsSetup.ts"
import { changedAt, insertOrganisation, insertPortfolio } from "./Setup.ts"

const concurrently = { concurrency: "unbounded" } as const

const loadCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "loads records by id and by unique member, and null where none is",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { record, revision } = yield* createdSite(organisationId, { externalId: "null" })
      const absent = aSite()
      const found = yield* (yield* Records).load("Records", organisationId, [
        { kind: siteKind, by: "id", values: [record.id, absent.id] },
        { kind: siteKind, by: "externalId", values: ["null", "NULL", "{}"] }
      ])
      assert.deepEqual(found.byId(siteKind, record.id), { record, revision }, "the site by id")
      assert.deepEqual(found.by(siteKind, "externalId", "null"), { record, revision }, "the site by external id")
      assert.equal(found.byId(siteKind, absent.id), null, "an absent id")
      assert.equal(found.by(siteKind, "externalId", "NULL"), null, "an absent external id")
      assert.equal(found.by(siteKind, "externalId", null), null, "no external id")
    })
  },
  {
    name: "loads and changes an organisation's own record where another one has the same id",
    check: Effect.gen(function* () {
      const [first, second] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const own = yield* createdSite(first, { externalId: "same" })
      assert.equal(yield* loadSite(second, own.record.id), null, "a record of another organisation")
      const other = yield* createdSite(second, { id: own.record.id, siteName: "Other", externalId: "same" })
      const outcome = yield* commitSite(first, own, changed(own, { siteName: "Changed" }))
      assert.equal(outcome._tag, "Committed", "the outcome")
      assert.equal((yield* loadedSite(first, own.record.id)).record.siteName, "Changed", "the own record")
      assert.deepEqual(yield* loadedSite(second, own.record.id), other, "the record of the other organisation")
    })
  },
  {
    name: "gives a record another revision after every change, by whatever method",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const first = yield* createdSite(organisationId)
      const { id } = first.record
      yield* SiteRepository.use(({ update }) => update(organisationId, id, { address: "Elsewhere" }, { at: changedAt }))
      const second = yield* loadedSite(organisationId, id)
      assert.notEqual(second.revision, first.revision, "the revision after an update")
      // The same version: a writer that compares versions would not notice.
      yield* commitSite(organisationId, second, aSite({ ...second.record, siteName: "Same version" }))
      const third = yield* loadedSite(organisationId, id)
      assert.notEqual(third.revision, second.revision, "the revision after a change without a new version")
      assert.ok(isStale(yield* commitSite(organisationId, second, changed(second, { latitude: 1 }))), "a stale commit")
    })
  }
]

const commitCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "answers the revision of a changed record, which a further change may expect",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      let stored = yield* createdSite(organisationId)
      for (const members of [{ latitude: 1 }, { siteName: "Searched" }, { address: null, externalId: "x" }]) {
        const after = changed(stored, members)
        const outcome = yield* commitSite(organisationId, stored, after)
        assert.equal(outcome._tag, "Committed", "the outcome")
        const revision = outcome._tag === "Committed" ? outcome.revisions[0] : null
        assert.ok(revision, "a revision")
        stored = { record: after, revision }
        assert.deepEqual(yield* loadedSite(organisationId, after.id), stored, "the loaded record")
      }
    })
  },
  {
    name: "does nothing when the record has another revision, is absent, or is there already",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const before = yield* createdSite(organisationId)
      yield* commitSite(organisationId, before, changed(before, { siteName: "Won" }))
      const current = yield* loadedSite(organisationId, before.record.id)
      const events = yield* storedEvents(organisationId)
      const absent = aSite({ organisationId })
      const outcomes = [
        yield* commitSite(organisationId, before, changed(before, { siteName: "Lost" })),
        yield* commitSite(organisationId, { ...before, record: absent }, absent),
        yield* commitSite(organisationId, null, aSite({ ...before.record, siteName: "Again" }))
      ]
      assert.deepEqual(outcomes.map(isStale), [true, true, true], "stale")
      assert.deepEqual(yield* loadedSite(organisationId, before.record.id), current, "the record")
      assert.equal(yield* loadSite(organisationId, absent.id), null, "the absent record")
      assert.deepEqual(yield* storedEvents(organisationId), events, "the events")
    })
  },
  {
    name: "does nothing when a unique value is taken or a referenced record is missing",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const portfolioId = aPortfolio().id
      yield* createdSite(organisationId, { externalId: "taken" })
      const before = yield* createdSite(organisationId)
      const events = yield* storedEvents(organisationId)
      const [taken, unfounded] = [
        aSite({ organisationId, externalId: "taken" }),
        aSite({ organisationId, portfolioId })
      ]
      const outcomes = [
        yield* commitSite(organisationId, null, taken),
        yield* commitSite(organisationId, null, unfounded),
        yield* commitSite(organisationId, before, changed(before, { externalId: "taken" })),
        yield* commitSite(organisationId, before, changed(before, { portfolioId }))
      ]
      assert.deepEqual(outcomes.map(isStale), [true, true, true, true], "stale")
      assert.deepEqual(yield* loadedSite(organisationId, before.record.id), before, "the record")
      for (const { id } of [taken, unfounded]) assert.equal(yield* loadSite(organisationId, id), null, "no new record")
      assert.deepEqual(yield* storedEvents(organisationId), events, "the events")
    })
  },
  {
    name: "stores nothing in an organisation that does not exist",
    check: Effect.gen(function* () {
      const site = aSite()
      assert.ok(isStale(yield* commitSite(site.organisationId, null, site)), "stale")
      assert.equal(yield* loadSite(site.organisationId, site.id), null, "no record")
    })
  }
]

const concurrencyCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "commits one of fifty concurrent changes of one revision, with its event alone",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const before = yield* createdSite(organisationId)
      const written = (yield* storedEvents(organisationId)).length
      const names = Array.from({ length: 50 }, (_, index) => `Writer ${index}`)
      const outcomes = yield* Effect.forEach(
        names,
        (siteName) => commitSite(organisationId, before, changed(before, { siteName })),
        concurrently
      )
      const won = names.filter((_, index) => outcomes[index]?._tag === "Committed")
      assert.equal(won.length, 1, "one commit")
      assert.equal((yield* loadedSite(organisationId, before.record.id)).record.siteName, won[0], "its value")
      const subjects = (yield* storedEvents(organisationId)).slice(written).map(({ subject }) => subject.name)
      assert.deepEqual(subjects, won, "its event")
    })
  },
  {
    name: "commits one of ten concurrent creations of one id or of one unique value, with its event alone",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { id } = aSite()
      const ofOneId = Array.from({ length: 10 }, (_, index) => aSite({ organisationId, id, siteName: `Id ${index}` }))
      const ofOneValue = Array.from({ length: 10 }, (_, index) =>
        aSite({ organisationId, externalId: "one", siteName: `Value ${index}` })
      )
      const all = [...ofOneId, ...ofOneValue]
      const outcomes = yield* Effect.forEach(all, (site) => commitSite(organisationId, null, site), concurrently)
      const won = all.filter((_, index) => outcomes[index]?._tag === "Committed")
      assert.equal(won.filter((site) => site.id === id).length, 1, "one site of the id")
      assert.equal(won.length, 2, "one site of the unique value")
      for (const site of won)
        assert.deepEqual((yield* loadedSite(organisationId, site.id)).record, site, "what is stored")
      const names = (yield* storedEvents(organisationId)).map(({ subject }) => subject.name)
      assert.deepEqual(names.toSorted(), won.map(({ siteName }) => siteName).toSorted(), "the events")
    })
  },
  {
    name: "commits concurrent creations that stand beside stale ones",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const { record } = yield* createdSite(organisationId, { externalId: "taken", portfolioId })
      const inPortfolio = { organisationId, portfolioId }
      const all = [
        aSite(inPortfolio),
        aSite({ ...record, siteName: "Again" }),
        aSite(inPortfolio),
        aSite({ ...inPortfolio, externalId: "taken" }),
        aSite({ ...inPortfolio, externalId: "free" })
      ]
      const outcomes = yield* Effect.forEach(all, (site) => commitSite(organisationId, null, site), concurrently)
      assert.deepEqual(outcomes.map(isStale), [false, true, false, true, false], "stale")
    })
  },
  {
    name: "numbers the events of concurrent changes in one order, each once",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const sites = Array.from({ length: 30 }, () => aSite({ organisationId }))
      yield* Effect.forEach(
        sites,
        (site) =>
          Effect.gen(function* () {
            yield* commitSite(organisationId, null, site)
            const stored = yield* loadedSite(organisationId, site.id)
            yield* commitSite(organisationId, stored, changed(stored, { latitude: 1 }))
          }),
        concurrently
      )
      const events = yield* storedEvents(organisationId)
      const sequences = events.map(({ sequence }) => sequence)
      assert.deepEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => a - b),
        "ascending sequences"
      )
      for (const { id } of sites) {
        const types = events.filter(({ subject }) => subject.id === id).map(({ type }) => type)
        assert.deepEqual(types, ["site.created", "site.updated"], "the events of a site")
      }
    })
  }
]

/**
 * @category conformance
 * @since 0.1.0
 */
export const recordsConformance: ConformanceSuite<RecordsPorts> = {
  port: "Records",
  cases: [...loadCases, ...commitCases, ...concurrencyCases, ...furtherRecordsCases, ...recordsOfKeysCases]
}
