/**
 * A `SiteRepository` returns values unchanged after an insert and in a list.
 */

import { jsonOf, type Page, type Site, type SiteChanges, type SiteManager, storageKey } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { siteMethods } from "./Methods.ts"
import { changedAt, hostileTexts, insertOrganisation, insertPortfolio, type RecordPorts } from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

const aManager = (overrides: Partial<SiteManager> = {}): SiteManager => ({
  name: "Ada Byron",
  email: null,
  phone: null,
  company: null,
  userId: null,
  ...overrides
})

const keeps = Effect.fnUntraced(function* (variants: ReadonlyArray<SiteChanges & Partial<Site>>) {
  const sites = yield* siteMethods
  const organisationId = yield* insertOrganisation()
  const inserted = variants.map((variant) => aSite({ ...variant, organisationId }))
  // Databases take inserts at the same time in one statement.
  yield* Effect.forEach(inserted, (site) => sites.insert(organisationId, site), { concurrency: "unbounded" })
  for (const site of inserted) {
    assert.deepEqual(yield* sites.findById(organisationId, site.id), Option.some(site), "after an insert")
  }
  const page = yield* sites.list(organisationId, {}, { after: null, limit: 1_000 })
  assert.deepEqual(page.items, inserted, "in a list")
  tellsTheSameAsJson(page)
})

/** The JSON of a page, if any, equals its items. */
const tellsTheSameAsJson = (page: Page<Site>): void => {
  const json = jsonOf(page)
  if (json === undefined) return
  const texts = page.items.map((site) => JSON.stringify(site))
  assert.deepEqual(json.texts(), texts, "as JSON")
  assert.equal(json.lastId, page.items.at(-1)?.id ?? null, "the id of the last one")
}

export const siteRoundTripCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "keeps text exactly as it is",
    check: keeps([
      ...hostileTexts.map((text) => ({
        siteName: text,
        address: text,
        siteManager: aManager({ name: text, phone: text.slice(0, 2), company: text, userId: text }),
        externalId: text,
        tags: [text, `${text}.`],
        attributes: { [text]: text, name: text }
      })),
      ...[" 1 Sun Lane\n  Bath ", "\n", " "].map((text) => ({
        address: text,
        siteManager: aManager({ userId: text })
      }))
    ])
  },
  {
    name: "keeps the longest text, counted in code points",
    check: keeps([
      {
        siteName: "𝔸".repeat(200),
        address: "☀".repeat(500),
        siteManager: aManager({
          name: "🏡".repeat(200),
          email: `${"a".repeat(249)}@b.cd`,
          phone: "٣".repeat(50),
          company: "𠜎".repeat(200),
          userId: "u".repeat(200)
        }),
        coverImageUrl: `https://images.example/${"%F0".repeat(675)}`,
        externalId: "𝔸".repeat(200),
        tags: Array.from({ length: 20 }, (_, index) => `${10 + index}${"☀".repeat(48)}`),
        attributes: Object.fromEntries(
          Array.from({ length: 50 }, (_, index) => [`${10 + index}${"🏡".repeat(98)}`, "𠜎".repeat(1_000)])
        )
      },
      { siteName: "x", address: "" }
    ])
  },
  {
    name: "keeps every optional member, set or null",
    check: keeps([
      { siteName: "Bare" },
      { siteName: "A", address: "1 Sun Lane" },
      { siteName: "B", latitude: 51.5 },
      { siteName: "C", longitude: -0.12 },
      { siteName: "D", coverImageUrl: "https://images.example/a.jpg?size=1&name='x'#top" },
      { siteName: "E", siteManager: aManager() },
      { siteName: "F", siteManager: aManager({ email: 'o\'hara+"sun"@solar.example' }) },
      { siteName: "G", siteManager: aManager({ phone: "+44 20 7946 0000", company: "Heliós & Co." }) },
      { siteName: "H", siteManager: aManager({ userId: "auth0|7" }) },
      { siteName: "I", externalId: " A-1 " },
      { siteName: "J", externalId: "null", tags: ["b", "a", "B", "null", "{}", "x,y", '"', " "] },
      { siteName: "K", attributes: { text: "1", empty: "", yes: true, no: false, none: null } },
      {
        siteName: "L",
        attributes: { 10: "ten", 9: "nine", a: 0, b: -1.5, bb: 1e-7, c: 0.1 + 0.2, d: 1e300, z: 5e-324 }
      },
      { siteName: "M", attributes: { constructor: "a", toString: "b", ["__proto__"]: "c" } }
    ])
  },
  {
    name: "keeps a capacity to its last digit, in every unit",
    check: keeps([
      ...[0.07, 0.1, 1e-7, 5e-324, 1e9, 999_999_999.999_999_9, 123_456.789_012_345, 1 / 3, 2 ** -40].map(
        (capacity) => ({
          capacity
        })
      ),
      ...(["W", "kW", "MW", "GW", "Wp", "kWp", "MWp", "GWp"] as const).map((unit) => ({ capacity: 1.1, unit }))
    ])
  },
  {
    name: "keeps coordinates to their last digit",
    check: keeps([
      { latitude: 51.507_351_234_567_89, longitude: -0.127_758_000_000_000_04 },
      { latitude: -90, longitude: 180 },
      { latitude: 90, longitude: -180 },
      { latitude: 0, longitude: 0 },
      { latitude: 1e-300, longitude: 0.1 + 0.2 }
    ])
  },
  {
    name: "keeps a negative zero as a zero",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const site = aSite({ organisationId, latitude: -0, longitude: -0 })
      yield* sites.insert(organisationId, site)
      const found = Option.getOrThrow(yield* sites.findById(organisationId, site.id))
      // JSON and SQL have one zero, so the sign may be lost.
      assert.ok(found.latitude === 0 && found.longitude === 0, `${found.latitude}, ${found.longitude} is no zero`)
      tellsTheSameAsJson(yield* sites.list(organisationId, {}, { after: null, limit: 1 }))
    })
  },
  {
    name: "attaches JSON equal to the sites of a page, and none to a page with an uploaded cover",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const [first, second, third] = [
        aSite({ organisationId, portfolioId }),
        aSite({ organisationId }),
        aSite({ organisationId, portfolioId })
      ]
      for (const site of [first, second, third]) yield* sites.insert(organisationId, site)
      const list = (after: Site | null, limit: number, ofPortfolio = false) =>
        sites.list(organisationId, ofPortfolio ? { portfolioId } : {}, { after: after?.id ?? null, limit })
      for (const page of [
        yield* list(null, 3),
        yield* list(null, 2),
        yield* list(first, 1),
        yield* list(third, 5),
        yield* list(null, 1, true),
        yield* list(first, 1, true)
      ]) {
        tellsTheSameAsJson(page)
        assert.equal(jsonOf({ ...page }), undefined, "a copy with other items would tell of these")
      }
      const coverImageUrl = storageKey({ organisationId, siteId: second.id, documentId: aSite().id })
      yield* sites.update(organisationId, second.id, { coverImageUrl }, { at: changedAt })
      const page = yield* list(null, 3)
      assert.equal(jsonOf(page), undefined, "callers see such a cover by another address")
      assert.equal(page.items[1]?.coverImageUrl, coverImageUrl)
      tellsTheSameAsJson(yield* list(null, 3, true))
    })
  },
  ...inBothZones({
    name: "keeps instants to the millisecond",
    check: keeps(
      [
        "1970-01-01T00:00:00.000Z",
        "1999-12-31T23:59:59.999Z",
        "2026-03-29T01:30:00.001Z",
        "2026-10-25T00:30:00.999Z",
        "2026-10-25T01:30:00.999Z",
        "2400-02-29T12:00:00.010Z"
      ].map((instant) => ({
        createdAt: DateTime.makeUnsafe(instant),
        updatedAt: DateTime.add(changedAt, { milliseconds: 1 })
      }))
    )
  })
]
