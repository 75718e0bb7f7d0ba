import { IdempotencyStore, maximumAnswerBytes } from "@solar-sites/core"
import { Context, Effect, Layer } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { aNewSite, type Binding, caller, makeSetup, type Send, type Setup, uploadsOf, webBinding } from "./Setup.ts"

describe("the stored response of an Idempotency-Key", () => {
  const kept: Array<string> = []
  let setup: Setup
  let binding: Binding
  let send: Send
  beforeAll(async () => {
    setup = await makeSetup()
    const store = Context.get(setup.context, IdempotencyStore)
    const watched = IdempotencyStore.of({
      ...store,
      end: (owner, key, attempt) =>
        Effect.andThen(
          Effect.sync(() => attempt.outcome._tag === "Answered" && kept.push(attempt.outcome.answer)),
          store.end(owner, key, attempt)
        )
    })
    binding = webBinding(Layer.succeedContext(Context.add(setup.context, IdempotencyStore, watched)))
    send = caller(binding, (await setup.join("Sunfield")).key)
  })
  afterEach(() => {
    kept.length = 0
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  const post = (path: string, key: string, body: unknown) =>
    send(`POST ${path}`, { headers: { "idempotency-key": key }, body })
  const manager = { name: "\u{1F31E}".repeat(200), company: '"'.repeat(200) }
  const newSites = async (count: number) => {
    const body = { ...aNewSite, address: '"\\'.repeat(250), siteManager: manager }
    const sites = await Promise.all(Array.from({ length: count }, () => send("POST /api/sites", { body })))
    return sites.map(({ json }) => json.id)
  }
  const newPortfolio = async () => (await send("POST /api/portfolios", { body: [{ name: "South" }] })).json.data[0].id

  /** What the test has stored never exceeds 64 KiB. */
  const expectBounded = () => {
    expect(kept.length).toBeGreaterThan(0)
    for (const answer of kept) expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(maximumAnswerBytes)
  }

  it("is bounded for many sites, which are read again without deleted ones", async () => {
    const [ids, portfolioId] = [await newSites(100), await newPortfolio()]
    const path = `/api/portfolios/${portfolioId}/sites`
    const first = await post(path, "add", { siteIds: ids })
    expect(first.text.length).toBeGreaterThan(maximumAnswerBytes)
    const again = await post(path, "add", { siteIds: ids })
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"])
    expect(again.json).toEqual(first.json)

    await send(`DELETE /api/sites/${ids[3]}`)
    await send(`PUT /api/sites/${ids[5]}`, { body: { portfolioId: null, siteName: "Moved" } })
    const later = await post(path, "add", { siteIds: ids })
    expect(later.json.data.map(({ id }: { id: string }) => id)).toEqual(ids.filter((_, index) => index !== 3))
    expect(later.json.data[4]).toMatchObject({ siteName: "Moved", portfolioId: null })
    expectBounded()
  })

  it("is bounded for many portfolios, which are read again", async () => {
    const body = Array.from({ length: 100 }, (_, index) => ({ name: `${'"'.repeat(190)} ${index}` }))
    const first = await post("/api/portfolios", "create", body)
    const again = await post("/api/portfolios", "create", body)
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"])
    expect(again.json).toEqual(first.json)
    expectBounded()
  })

  it("is dropped when filenames make it too large, and a retry creates the same documents", async () => {
    const [siteId] = await newSites(1)
    const body = uploadsOf(siteId, "a.txt", "x".repeat(100_000))
    const before = kept.length
    const first = await post("/api/docs/bulk-upload-url", "issue", body)
    expect(kept.length).toBe(before)
    const again = await post("/api/docs/bulk-upload-url", "issue", body)
    expect(again.json.results[0].documentId).toBe(first.json.results[0].documentId)
    expect(again.json.results[1]).toEqual(first.json.results[1])
    expect((await send(`GET /api/docs?siteId=${siteId}`)).json.data).toHaveLength(1)
  })

  it("has a complete address for each file", async () => {
    const [siteId] = await newSites(1)
    const body = uploadsOf(siteId, ...Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(255, "x")))
    await post("/api/docs/bulk-upload-url", "twenty", body)
    const { json } = await post("/api/docs/bulk-upload-url", "twenty", body)
    for (const { uploadUrl } of json.results) expect(uploadUrl.url).toBe(`${uploadUrl.path}?${uploadUrl.token}`)
    expectBounded()
  })
})
