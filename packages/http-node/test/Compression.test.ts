import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Context } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Compressible } from "../src/contract/Conditions.ts"
import { SolarSitesApi } from "../src/contract/index.ts"
import { filledSetup, type Sent, send as sendTo } from "./CompressionSetup.ts"
import { type Member, nodeBinding, type Setup, uploadsOf, webBinding } from "./Setup.ts"

type SentHere = Omit<Sent, "base" | "key"> & { readonly base?: string }

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

/** Each dry run has its own instants. */
const timeless = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString()
    .replaceAll(/T\d\d:\d\d:\d\d\.\d{3}Z/g, "")

describe("compression", () => {
  let setup: Setup
  let member: Member
  let binding: Awaited<ReturnType<typeof nodeBinding>>
  beforeAll(async () => {
    ;({ setup, member } = await filledSetup())
    binding = await nodeBinding(setup.ports, { rateLimitPerMinute: 0 })
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  const send = (sent: SentHere) => sendTo({ base: binding.base, key: member.key, ...sent })

  const firstId = async (line: string): Promise<string> =>
    JSON.parse((await buffer(await send({ line }))).toString()).data[0].id

  const bulk = (members: object) => ({
    dryRun: true,
    sites: Array.from({ length: 30 }, (_, index) => ({ siteName: `New ${index}`, capacity: 2, unit: "MW", ...members }))
  })

  it("is marked in the contract for lists without secrets", () => {
    const marked = Object.values(SolarSitesApi.groups).flatMap(({ endpoints, identifier }) =>
      Object.entries(endpoints)
        .filter(([, { annotations }]) => Context.get(annotations, Compressible))
        .map(([name]) => `${identifier}.${name}`)
    )
    expect(marked.toSorted()).toEqual([
      "coverage.list",
      "coverage.summary",
      "documents.list",
      "documents.listRevisions",
      "events.list",
      "portfolios.addSites",
      "portfolios.create",
      "portfolios.list",
      "portfolios.listWithSites",
      "sites.bulk",
      "sites.list"
    ])
  })

  it("gives the same bytes as without it, for each marked operation, also as CSV and as a problem", async () => {
    const siteId = await firstId("GET /api/sites?limit=1")
    const portfolioId = await firstId("GET /api/portfolios?limit=1")
    const names = { portfolios: Array.from({ length: 100 }, (_, index) => ({ name: `Another ${index}` })) }
    const siteIds = JSON.parse((await buffer(await send({ line: "GET /api/sites?limit=20" }))).toString()).data.map(
      ({ id }: { readonly id: string }) => id
    )
    const csv = { headers: { accept: "text/csv" } }
    const requests: ReadonlyArray<SentHere> = [
      { line: "GET /api/sites" },
      { line: "GET /api/sites?limit=50" },
      { line: "GET /api/sites?limit=1000" },
      { line: "GET /api/sites", ...csv },
      { line: "GET /api/sites?limit=50", ...csv },
      { line: "GET /api/portfolios" },
      { line: "GET /api/portfolios/with-sites" },
      { line: "GET /api/docs" },
      { line: `GET /api/docs?siteId=${siteId}`, ...csv },
      { line: "GET /api/coverage" },
      { line: "GET /api/events?limit=100" },
      { line: "POST /api/sites/bulk", body: bulk({}) },
      { line: "POST /api/sites/bulk", body: bulk({ capacity: -1 }) },
      { line: "POST /api/portfolios", body: names, headers: { "idempotency-key": "the-same-names" } },
      { line: `POST /api/portfolios/${portfolioId}/sites`, body: { siteIds } }
    ]
    for (const sent of requests) {
      const plain = await send({ headers: { "x-request-id": "the-same-request" }, ...sent })
      expect([sent.line, plain.headers["content-encoding"], plain.headers.vary]).toEqual([
        sent.line,
        undefined,
        "Accept-Encoding"
      ])
      const bytes = await buffer(plain)
      for (const coding of ["br", "gzip"] as const) {
        const coded = await send({ headers: { "x-request-id": "the-same-request" }, ...sent, accepted: coding })
        expect([sent.line, coded.statusCode, coded.headers["content-encoding"], coded.headers.vary]).toEqual([
          sent.line,
          plain.statusCode,
          coding,
          "Accept-Encoding"
        ])
        const encoded = await buffer(coded)
        expect(encoded.byteLength).toBeLessThan(bytes.byteLength)
        expect(coded.headers["content-type"]).toBe(plain.headers["content-type"])
        expect(timeless(decoders[coding](encoded))).toBe(timeless(bytes))
      }
    }
  })

  it("leaves out small bodies, versioned resources and everything that holds a secret", async () => {
    const siteId = await firstId("GET /api/sites?limit=1")
    const attributes = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`name ${index}`, "x".repeat(900)]))
    const filenames = Array.from({ length: 20 }, (_, index) => `file ${index}.txt`)
    const webhook = { url: "https://example.com/hook", events: ["site.created"] }
    const requests: ReadonlyArray<SentHere> = [
      { line: "GET /api/sites?limit=1" },
      { line: `PUT /api/sites/${siteId}`, body: { attributes } },
      { line: `GET /api/sites/${siteId}` },
      { line: "POST /api/docs/bulk-upload-url", body: uploadsOf(siteId, ...filenames) },
      { line: "POST /api/docs/bulk-upload-url", body: { [`x${"y".repeat(2_000)}`]: 1 } },
      { line: "POST /api/webhooks", body: webhook },
      { line: "GET /api/webhooks" },
      { line: "GET /api/me" }
    ]
    for (const sent of requests) {
      const answer = await send({ ...sent, accepted: "br, gzip" })
      expect([sent.line, answer.headers["content-encoding"]]).toEqual([sent.line, undefined])
      JSON.parse((await buffer(answer)).toString())
    }
    const { headers } = await send({ line: `GET /api/sites/${siteId}`, accepted: "br" })
    expect([headers.etag, headers.vary]).toEqual(['"2"', undefined])
  })

  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP;Q=1.0", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["br;q=0, *;q=0.1", "gzip"],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.2, gzip;q=0.5", "gzip"],
    ["*;q=0", undefined],
    ["gzip;q=many", undefined],
    ["deflate", undefined],
    ["", undefined]
  ])("answers Accept-Encoding: %s with %s", async (accepted, coding) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await send({ line: `${method} /api/sites?limit=50`, accepted })
      expect(answer.headers["content-encoding"]).toBe(coding)
      answer.resume()
    }
  })

  it("keeps the values of Vary for CORS", async () => {
    await using cors = await nodeBinding(setup.ports, { corsOrigins: ["https://app.example.com"] }).then((bound) => ({
      ...bound,
      [Symbol.asyncDispose]: bound.close
    }))
    const answer = await send({ line: "GET /api/sites?limit=50", accepted: "gzip", base: cors.base })
    answer.resume()
    expect(answer.headers.vary).toBe("Accept-Encoding, Origin")
  })

  it("is an option, off in the fetch handler unless it is set", async () => {
    const line = "GET /api/sites?limit=50"
    const off = await nodeBinding(setup.ports, { compression: false })
    const answer = await send({ line, accepted: "br", base: off.base })
    answer.resume()
    expect([answer.headers["content-encoding"], answer.headers.vary]).toEqual([undefined, undefined])
    await off.close()
    for (const [compression, coding] of [
      [undefined, null],
      [true, "br"]
    ] as const) {
      const { close, send: handle } = webBinding(setup.ports, { compression })
      const headers = { "x-api-key": member.key, "accept-encoding": "br" }
      const response = await handle(new Request("http://localhost/api/sites?limit=50", { headers }))
      expect(response.headers.get("content-encoding")).toBe(coding)
      await response.arrayBuffer()
      await close()
    }
  })
})
