import { assert, describe, it } from "@effect/vitest"
import { jsonOf, OrganisationRepository, storageKey } from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { Effect } from "effect"
import { pageFromText } from "../../src/tables/PageText.ts"
import { isShownAsStored, siteTable } from "../../src/tables/SiteTable.ts"
import { onPglite, onPostgres, withoutPostgres } from "../Databases.ts"

const site = aSite()
const { organisationId } = site

/** A row as the statement answers it. */
const row = (values: Readonly<Record<string, string>> = {}): string =>
  Object.values({
    id: JSON.stringify(site.id),
    siteName: '"Meadow"',
    capacity: "48.60",
    unit: '"kWp"',
    address: "null",
    latitude: "48.1",
    longitude: "-0",
    portfolioId: "null",
    siteManager: "null",
    coverImageUrl: "null",
    capacityKw: "48.600",
    createdAt: "1767225600.007",
    updatedAt: "1767225600.007",
    version: "1",
    externalId: "null",
    tags: "[]",
    attributes: "{}",
    ...values
  }).join("\x1f")

const sitePage = (text: string | null, limit: number) =>
  pageFromText(text, { table: siteTable, given: { organisationId }, limit, isShownAsStored })

const textsOf = (text: string | null, limit = 10) => jsonOf(sitePage(text, limit))?.texts()

describe("a page of sites", () => {
  it("has its JSON in the order of the model, members of the site manager included", () => {
    const siteManager = '{"name": "Ada", "email": null, "phone": null, "userId": "u", "company": "A, \\"B\\" & Co."}'
    const attributes = `{"a": 1${"0".repeat(300)}, "10": "ten", "bb": "x"}`
    const later = { externalId: '"A-1"', tags: '["b","a"]', attributes }
    const [text = ""] = textsOf(row({ siteManager, updatedAt: "1767312000.5", version: "2", ...later })) ?? []
    assert.strictEqual(
      text,
      `{"id":"${site.id}","organisationId":"${organisationId}","siteName":"Meadow","capacity":48.6,"unit":"kWp",` +
        `"address":null,"latitude":48.1,"longitude":0,"portfolioId":null,` +
        `"siteManager":{"name":"Ada","email":null,"phone":null,"company":"A, \\"B\\" & Co.","userId":"u"},` +
        `"coverImageUrl":null,"capacityKw":48.6,"createdAt":"2026-01-01T00:00:00.007Z",` +
        `"updatedAt":"2026-01-02T00:00:00.500Z","version":2,"externalId":"A-1","tags":["b","a"],` +
        `"attributes":{"10":"ten","a":1e+300,"bb":"x"}}`
    )
    assert.deepStrictEqual(Object.keys(JSON.parse(text)), Object.keys(JSON.parse(JSON.stringify(site))))
  })

  it("has its numbers as JavaScript writes them", () => {
    for (const [text, value] of [
      ["2125.000", 2125],
      ["100", 100],
      ["100.0", 100],
      ["0.050", 0.05],
      ["0.000001", 1e-6],
      ["0.0000001", 1e-7],
      ["5e-05", 5e-5],
      ["1e+15", 1e15],
      ["1234567890123456.5", 1234567890123456.5],
      ["0.30000000000000004", 0.30000000000000004],
      ["0.3000000000000000400000001", 0.30000000000000004],
      ["999999999.9999999", 999999999.9999999],
      ["-0.12", -0.12],
      ["-0", 0]
    ] as const) {
      const [json = ""] = textsOf(row({ capacity: text, latitude: text, longitude: text, capacityKw: text })) ?? []
      const { capacity, capacityKw, latitude, longitude } = JSON.parse(json)
      assert.deepStrictEqual([capacity, latitude, longitude, capacityKw], [value, value, value, value], text)
      assert.include(json, `"capacity":${JSON.stringify(value)},`)
    }
  })

  it("leaves out the row after the limit, which shows that there are more", () => {
    const other = aSite()
    const text = [row(), row({ id: JSON.stringify(other.id) })].join("\x1e")
    for (const [limit, count, hasMore] of [
      [1, 1, true],
      [2, 2, false]
    ] as const) {
      const page = sitePage(text, limit)
      assert.strictEqual(page.hasMore, hasMore)
      assert.strictEqual(page.items.length, count)
      assert.strictEqual(jsonOf(page)?.texts().length, count)
      assert.strictEqual(jsonOf(page)?.lastId, count === 1 ? site.id : other.id)
    }
  })

  it("may be empty", () => {
    const page = sitePage(null, 10)
    assert.deepStrictEqual(page, { items: [], hasMore: false })
    assert.deepStrictEqual(jsonOf(page)?.texts(), [])
    assert.strictEqual(jsonOf(page)?.lastId, null)
  })

  it("has no JSON when a cover was uploaded, or is anything but an https address", () => {
    const key = storageKey({ organisationId, siteId: site.id, documentId: aSite().id })
    for (const cover of [key, key.toUpperCase(), "http://images.example/a.jpg", ""]) {
      assert.strictEqual(textsOf(row({ coverImageUrl: JSON.stringify(cover) })), undefined, cover)
    }
    // Earlier values may look like a cover.
    for (const siteName of [key, `"${key}`, "null", '"https:']) {
      const values = { siteName: JSON.stringify(siteName), coverImageUrl: '"https://images.example/a.jpg"' }
      assert.isDefined(textsOf(row(values)), siteName)
    }
  })

  const comesWithItsJson = Effect.gen(function* () {
    const organisation = anOrganisation()
    yield* (yield* OrganisationRepository).insert(organisation)
    const sites = yield* siteMethods
    const text = 'a\u001fb\u001ec\nd\u0001\u007f"\\'
    const hostile = aSite({
      organisationId: organisation.id,
      siteName: text,
      address: "\u001e",
      siteManager: { name: text, email: "\u001f@\u001e", phone: "\u001e", company: null, userId: text },
      coverImageUrl: "https://images.example/\u001f\u001e"
    })
    yield* sites.insert(organisation.id, hostile)
    const page = yield* sites.list(organisation.id, {}, { after: null, limit: 10 })
    assert.deepStrictEqual(page.items, [hostile])
    const texts = jsonOf(page)?.texts() ?? assert.fail("the page has no JSON")
    assert.deepStrictEqual(JSON.parse(`[${texts.join(",")}]`), [JSON.parse(JSON.stringify(hostile))])
  })

  it.live.skipIf(withoutPostgres)("comes with its JSON when texts hold control characters and quotes", () =>
    Effect.flatMap(onPostgres(), (ports) => Effect.provide(comesWithItsJson, ports))
  )

  it.live("comes with its JSON from an embedded database too", () =>
    Effect.flatMap(onPglite(), (ports) => Effect.provide(comesWithItsJson, ports))
  )
})
