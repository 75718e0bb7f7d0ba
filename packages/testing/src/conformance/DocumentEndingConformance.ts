/**
 * Current documents near the end of their validity, in a `DocumentMaintenance`.
 */
import {
  announcementRecords,
  DocumentId,
  DocumentMaintenance,
  type DocumentRecord,
  documentKind,
  type Event,
  type OrganisationId,
  requirementListRecords
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anId, aRequirement, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { documentOf, farFuture, siteInOwnOrganisation } from "./DocumentSetup.ts"
import { after, before, type EndingPorts, idsIn, listed, store, today, until } from "./EndingSetup.ts"
import { type ExpectedEvent, expectEvents } from "./EventSetup.ts"
import { siteMethods } from "./Methods.ts"
import { loaded, withMembers } from "./RecordsSetup.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite } from "./Setup.ts"

/** The given organisations with ending documents, in the returned order. */
const found = Effect.fnUntraced(function* (owners: ReadonlyArray<OrganisationId>, notice: number) {
  const all = yield* (yield* DocumentMaintenance).findEnding({ today, notice, after: null, limit: 100_000 })
  assert.equal(new Set(all).size, all.length, "each organisation once")
  return all.filter((id) => owners.includes(id))
})

export const documentEndingCases: ReadonlyArray<ConformanceCase<EndingPorts>> = [
  {
    name: "lists current documents that end, by the last day and the id, in pages of any size",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const site = yield* insertSite(organisationId)
      const other = yield* insertSite(organisationId, { portfolioId: portfolio.id })
      for (const members of [
        { validUntil: null },
        { validUntil: after },
        { validUntil: until, status: "pending" as const, lookAt: farFuture },
        { validUntil: before, status: "failed" as const },
        { validUntil: today, replacedBy: documentOf(site).id }
      ]) {
        yield* store(site, members)
      }
      const third = yield* store(site, { validUntil: until, validFrom: until, documentType: "insurance" })
      const second = yield* store(other, { validUntil: today, status: "approved" })
      const fourth = yield* store(other, { validUntil: until, status: "completed" })
      const first = yield* store(site, { validUntil: before })
      const inTurn = [first, second, third, fourth]
      for (const limit of [1, 2, 3, 4, 100]) assert.deepEqual(yield* idsIn(organisationId, limit), inTurn, `${limit}`)
      const [, document, withFirstDay] = yield* listed(organisationId)
      const ofOther = { id: second, documentType: null, portfolioId: portfolio.id, validFrom: null, validUntil: today }
      assert.deepEqual(document, ofOther, "the portfolio of its site")
      const ofSite = { id: third, documentType: "insurance", portfolioId: null, validFrom: until, validUntil: until }
      assert.deepEqual(withFirstDay, ofSite, "all that decides")
    })
  },
  {
    name: "lists an ending document until its last day was announced by the event of the day",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      yield* store(site, { validUntil: before, expiringAnnounced: before, expiredAnnounced: before })
      yield* store(site, { validUntil: until, expiringAnnounced: until })
      yield* store(site, { validUntil: until, expiringAnnounced: until, expiredAnnounced: until })
      const expected = [
        yield* store(site, { validUntil: before, expiringAnnounced: before }),
        yield* store(site, { validUntil: before, expiringAnnounced: before, expiredAnnounced: today }),
        yield* store(site, { validUntil: today, expiringAnnounced: before, expiredAnnounced: before }),
        yield* store(site, { validUntil: today, expiredAnnounced: before })
      ]
      assert.deepEqual(yield* idsIn(organisationId), expected)
    })
  },
  {
    name: "lists ending documents up to the last day for their type",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      yield* store(site, { validUntil: after })
      yield* store(site, { validUntil: after, documentType: "ppa" })
      yield* store(site, { validUntil: until, documentType: "epc" })
      const expected = [
        yield* store(site, { validUntil: before, documentType: "epc" }),
        yield* store(site, { validUntil: today, documentType: "epc" }),
        yield* store(site, { validUntil: until }),
        yield* store(site, { validUntil: until, documentType: "insurance" }),
        yield* store(site, { validUntil: until, documentType: "ppa" }),
        yield* store(site, { validUntil: after, documentType: "insurance" })
      ]
      const untilOf = { insurance: after, epc: today }
      for (const limit of [1, 4, 100]) {
        const found = yield* listed(organisationId, limit, untilOf)
        assert.deepEqual(
          found.map(({ id }) => id),
          expected,
          `in pages of ${limit}`
        )
      }
    })
  },
  {
    name: "lists ending documents of one organisation alone",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const twin = aSite({ ...site, organisationId: yield* insertOrganisation() })
      yield* (yield* siteMethods).insert(twin.organisationId, twin)
      const id = yield* store(site, { validUntil: before })
      yield* store(twin, { id, validUntil: until })
      const days = Effect.map(listed(site.organisationId), (all) => all.map(({ validUntil }) => validUntil))
      assert.deepEqual(yield* days, [before])
      const second = yield* store(twin, { id: DocumentId.make(anId()), validUntil: before })
      assert.deepEqual(yield* days, [before])
      assert.deepEqual(yield* idsIn(twin.organisationId), [second, id])
    })
  },
  {
    name: "writes each event about the end of validity once, and stores that it was written, in one step",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const site = yield* insertSite(organisationId, { portfolioId: portfolio.id })
      const expired = yield* store(site, { validUntil: before })
      const soon = yield* store(site, { validUntil: until, documentType: "insurance" })
      const later = yield* store(site, { validUntil: after, documentType: "insurance" })
      const ids = [expired, soon, later]
      const stored = (id: DocumentId) =>
        // A record of the kind of documents is one.
        Effect.map(loaded(organisationId, documentKind, id), ({ record }) => record as DocumentRecord)
      const earlier = yield* Effect.forEach(ids, stored)
      const { announce } = yield* announcementRecords
      const at = DateTime.makeUnsafe(today)
      const announceAll = Effect.map(
        Effect.forEach([1, 2, 3, 4], () => announce(organisationId, ids, at), { concurrency: "unbounded" }),
        (all) => all.flat()
      )
      const [first, second, third] = earlier
      assert.ok(first && second && third)
      const about = (type: Event["type"], { filename, id, validUntil }: DocumentRecord): ExpectedEvent => {
        const changes = { validUntil: { from: validUntil, to: validUntil } }
        return { type, siteId: site.id, subject: { id, name: filename }, changes }
      }
      const written = [about("document.expired", first), about("document.expiring", second)]
      assert.deepEqual(
        yield* expectEvents(organisationId, announceAll, written),
        written.map(({ type }) => type)
      )
      assert.deepEqual(yield* Effect.forEach(ids, stored), [
        withMembers(first, { expiringAnnounced: before, expiredAnnounced: before }),
        withMembers(second, { expiringAnnounced: until }),
        third
      ])
      const requirements = [
        aRequirement({ documentType: "insurance" }),
        aRequirement({ documentType: "insurance", portfolioId: portfolio.id, expiringWithinDays: 31 })
      ]
      yield* (yield* requirementListRecords).replace(organisationId, requirements, { at: changedAt })
      yield* expectEvents(organisationId, announceAll, [about("document.expiring", third)])
      assert.deepEqual(yield* idsIn(organisationId), [])
    })
  },
  {
    name: "finds organisations with ending documents, each once, within their greatest notice",
    check: Effect.gen(function* () {
      const sites = yield* Effect.forEach([0, 1, 2, 3, 4, 5], () => siteInOwnOrganisation)
      const [expired, soon, late, longer, told, idle] = sites
      assert.ok(expired && soon && late && longer && told && idle)
      const owners = sites.map(({ organisationId }) => organisationId)
      const [a, b, c, d] = owners
      assert.ok(a && b && c && d)
      for (const validUntil of [before, before, until]) yield* store(expired, { validUntil })
      yield* store(soon, { validUntil: until })
      yield* store(late, { validUntil: after })
      yield* store(longer, { validUntil: after })
      const requirements = [aRequirement({ expiringWithinDays: 1 }), aRequirement({ documentType: "epc" })]
      yield* (yield* requirementListRecords).replace(longer.organisationId, requirements, { at: changedAt })
      yield* store(told, { validUntil: before, expiringAnnounced: before, expiredAnnounced: before })
      yield* store(told, { validUntil: until, expiringAnnounced: until })
      yield* store(idle, { validUntil: before, status: "failed" })

      assert.deepEqual(yield* found(owners, 0), [a], "those of today")
      assert.deepEqual(yield* found(owners, 29), [a], "the longest requirement names 30 days")
      assert.deepEqual(yield* found(owners, 30), [a, b], "in ascending order of id")
      assert.deepEqual(yield* found(owners, 31), [a, b, c, d])
      const long = [
        aRequirement({ expiringWithinDays: 1 }),
        aRequirement({ documentType: "epc", expiringWithinDays: 31 })
      ]
      yield* (yield* requirementListRecords).replace(longer.organisationId, long, { at: changedAt })
      assert.deepEqual(yield* found(owners, 30), [a, b, d], "the greatest notice of the organisation counts")

      const { findEnding } = yield* DocumentMaintenance
      const next = (last: OrganisationId, limit: number) => findEnding({ today, notice: 31, after: last, limit })
      assert.deepEqual(
        (yield* next(a, 100_000)).filter((id) => owners.includes(id)),
        [b, c, d],
        "behind a position"
      )
      assert.equal((yield* next(a, 2)).length, 2, "no more than the limit")
    })
  }
]
