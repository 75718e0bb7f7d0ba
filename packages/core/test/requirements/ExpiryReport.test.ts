import { describe, expect, it } from "@effect/vitest"
import {
  CalendarDate,
  Caller,
  Coverage,
  DocumentRepository,
  type DocumentRequirement,
  ExpiryReport,
  Portfolios,
  RequirementRepository,
  Requirements,
  Sites
} from "@solar-sites/core"
import { aRequirement } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { setup } from "../documents/setup.ts"
import { as, outcome, services } from "../services.ts"

const layer = Layer.provideMerge(ExpiryReport.layer, services)

/** Pages of one site and of one document. */
const inSmallPages = ExpiryReport.layer.pipe(
  Layer.provide(Coverage.layer),
  Layer.provide(
    Layer.merge(
      Layer.effect(
        DocumentRepository,
        Effect.map(DocumentRepository, (port) =>
          DocumentRepository.of({ ...port, list: (id, query, page) => port.list(id, query, { ...page, limit: 1 }) })
        )
      ),
      Layer.effect(
        RequirementRepository,
        Effect.map(RequirementRepository, (port) =>
          RequirementRepository.of({
            ...port,
            listCoverage: (id, query, page) => port.listCoverage(id, query, { ...page, limit: 1 })
          })
        )
      )
    )
  ),
  Layer.provideMerge(services)
)
const asOf = CalendarDate.make("1970-03-01")

const report = Effect.gen(function* () {
  const { client: _client, documents, issueOne, person, send, site } = yield* setup
  const asPerson = as(person)
  const sites = yield* Sites
  const [portfolio] = yield* asPerson((yield* Portfolios).createMany([{ name: "North" }]))
  if (portfolio === undefined) throw new Error("one portfolio was expected")

  /** An uploaded document of the site without a portfolio. */
  const upload = Effect.fnUntraced(function* (file: Record<string, unknown>) {
    const issued = yield* issueOne({ ...file, fileSize: 3 })
    yield* send(issued, new Uint8Array(3))
    yield* asPerson(documents.changeStatus(issued.documentId, { status: "uploaded" }))
    return issued.documentId
  })
  const require = (...requirements: ReadonlyArray<DocumentRequirement>) =>
    asPerson(Effect.flatMap(Requirements, ({ replace }) => replace({ requirements })))
  const page = (query: object = {}) =>
    asPerson(Effect.flatMap(ExpiryReport, (service) => service.page({ asOf, after: null, limit: 100, ...query })))
  const list = (query?: object) =>
    Effect.map(page(query), ({ items }) =>
      items.map(({ documentType, portfolioName, siteName, state, validUntil }) => [
        ...[portfolioName, siteName, documentType, state, validUntil]
      ])
    )
  return { asPerson, documents, list, page, person, portfolio, require, site, sites, upload }
})

describe("ExpiryReport", () => {
  it.effect("has required documents that are expired, expiring or missing, with the portfolio of the site", () =>
    Effect.gen(function* () {
      const { asPerson, list, portfolio, require, sites, upload } = yield* report
      yield* asPerson(sites.create({ siteName: "Hill", capacity: 1, unit: "kW", portfolioId: portfolio.id }))
      yield* require(aRequirement({ documentType: "insurance" }), aRequirement({
        documentType: "ppa",
        expiringWithinDays: 100
      }), aRequirement({ documentType: "epc" }))
      yield* upload({ documentType: "insurance", validUntil: "1970-02-28" })
      yield* upload({ documentType: "ppa", validUntil: "1970-05-01" })
      yield* upload({ documentType: "epc", validUntil: "1970-05-01" })
      expect(yield* list()).toEqual([
        [null, "Long Meadow", "insurance", "expired", "1970-02-28"],
        ...["epc", "insurance", "ppa"].map((type) => ["North", "Hill", type, "missing", null]),
        [null, "Long Meadow", "ppa", "expiring", "1970-05-01"]
      ])
      expect(yield* list({ portfolioId: portfolio.id })).toHaveLength(3)
    }).pipe(Effect.provide(layer))
  )

  it.effect("leaves out pending uploads and what is not valid yet", () =>
    Effect.gen(function* () {
      const { list, require, upload } = yield* report
      yield* require(aRequirement({ documentType: "insurance" }))
      yield* upload({ documentType: "insurance", validFrom: "1970-03-02", validUntil: "1970-03-09" })
      yield* upload({ documentType: "epc", validFrom: "1970-03-02", validUntil: "1970-03-09" })
      expect(yield* list()).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.effect("has current documents without a requirement that are expired or end within 30 days", () =>
    Effect.gen(function* () {
      const { asPerson, documents, list, portfolio, require, site, sites, upload } = yield* report
      yield* upload({ documentType: "insurance", validUntil: "1970-03-31" })
      yield* upload({ documentType: "insurance", validUntil: "1970-04-01" })
      const old = yield* upload({ validUntil: "1970-02-01" })
      yield* asPerson(documents.changeStatus(yield* upload({ validUntil: "1970-02-02" }), { status: "approved" }))
      const failed = yield* upload({ validUntil: "1970-02-03" })
      yield* asPerson(documents.changeStatus(failed, { status: "failed", reason: "unreadable" }))
      const expected = [
        [null, "Long Meadow", null, "expired", "1970-02-01"],
        [null, "Long Meadow", null, "expired", "1970-02-02"],
        [null, "Long Meadow", "insurance", "expiring", "1970-03-31"]
      ]
      expect(yield* list()).toEqual(expected)

      // A document that is replaced is not current.
      yield* upload({ replaces: old })
      // The requirement of another portfolio is none of this site.
      yield* require(aRequirement({ documentType: "insurance", portfolioId: portfolio.id }))
      expect(yield* list()).toEqual(expected.slice(1))
      expect(yield* list({ portfolioId: portfolio.id })).toEqual([])

      // Now the better document counts for the requirement.
      yield* asPerson(sites.update(site.id, { portfolioId: portfolio.id }))
      expect(yield* list()).toEqual([["North", "Long Meadow", null, "expired", "1970-02-02"]])
    }).pipe(Effect.provide(layer))
  )

  it.effect("comes in pages", () =>
    Effect.gen(function* () {
      const { page, upload } = yield* report
      for (const day of ["01", "02", "03"]) yield* upload({ validUntil: `1970-02-${day}` })
      const first = yield* page({ limit: 2 })
      expect([first.items.map(({ validUntil }) => validUntil), first.rest]).toEqual([["1970-02-01", "1970-02-02"], 1])
      const second = yield* page({ limit: 2, after: first.items.at(-1) })
      expect([second.items.map(({ validUntil }) => validUntil), second.rest]).toEqual([["1970-02-03"], 0])
    }).pipe(Effect.provide(layer))
  )

  it.effect("reads all pages of sites and documents", () =>
    Effect.gen(function* () {
      const { asPerson, list, require, sites, upload } = yield* report
      for (const siteName of ["Hill", "Moor"]) {
        yield* asPerson(sites.create({ siteName, capacity: 1, unit: "kW" }))
      }
      yield* require(aRequirement({ documentType: "epc" }))
      for (const day of ["01", "02", "03"]) yield* upload({ validUntil: `1970-02-${day}` })
      const states = (yield* list()).map(([, siteName, , state]) => `${siteName} ${state}`)
      expect(states).toEqual([
        ...Array.from({ length: 3 }, () => "Long Meadow expired"),
        ...["Hill", "Long Meadow", "Moor"].map((siteName) => `${siteName} missing`)
      ])
    }).pipe(Effect.provide(inSmallPages))
  )

  it.effect("belongs to one organisation and needs the scope of documents", () =>
    Effect.gen(function* () {
      const { person, upload } = yield* report
      yield* upload({ validUntil: "1970-02-01" })
      const other = yield* report
      expect(yield* other.list()).toEqual([])
      const service = yield* ExpiryReport
      const limited = new Caller({ ...person, scopes: ["sites:read"] })
      expect(yield* outcome(as(limited)(service.page({ asOf, after: null, limit: 1 })))).toBe("ScopeMissing")
    }).pipe(Effect.provide(layer))
  )
})
