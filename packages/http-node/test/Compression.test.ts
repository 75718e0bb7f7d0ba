import { type IncomingMessage, request } from "node:http"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from "node:zlib"
import { CurrentCaller, Documents, Portfolios, SiteRepository, Sites } from "@solar-sites/core"
import { Context, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Compressible } from "../src/contract/Conditions.ts"
import { SolarSitesApi } from "../src/contract/index.ts"
import { type Member, makeSetup, nodeBinding, type Ports, type Setup, uploadsOf, webBinding } from "./Setup.ts"

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

// More than one page of a complete list.
const count = 1_200

const fill = Effect.fnUntraced(function* ({ caller }: Member) {
  yield* Effect.gen(function* () {
    const sites = yield* Sites
    const [portfolio] = yield* (yield* Portfolios).createMany(
      Array.from({ length: 40 }, (_, index) => ({ name: `Portfolio ${index}` }))
    )
    const bulk = Array.from({ length: count }, (_, index) => ({
      siteName: `Hÿde Lane ${index}`,
      capacity: 1,
      unit: "kW" as const,
      portfolioId: portfolio?.id ?? null
    }))
    for (const site of bulk) yield* sites.create(site)
    const [site] = (yield* sites.list({ limit: 1 })).data
    if (site === undefined) return
    const files = Array.from({ length: 20 }, (_, index) => ({ filename: `${index}.pdf`, mimeType: "application/pdf" }))
    yield* (yield* Documents).issueUploads({ siteId: site.id, fileType: "documents", files })
  }).pipe(Effect.provideService(CurrentCaller, caller))
})

/** The same ports; lists of sites give one page, and wait for `open` before the second. */
const gated = (ports: Ports) => {
  const gate = Promise.withResolvers<void>()
  const waiting = Effect.map(SiteRepository, (repository) => ({
    ...repository,
    list: (...args: Parameters<typeof repository.list>) => {
      const [, , page] = args
      const listed = repository.list(...args)
      return page.after === null
        ? listed
        : Effect.andThen(
            Effect.promise(() => gate.promise),
            listed
          )
    }
  }))
  return {
    ports: Layer.mergeAll(ports, Layer.provide(Layer.effect(SiteRepository, waiting), ports)),
    open: () => gate.resolve()
  }
}

/** Each dry run has its own instants. */
const timeless = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString()
    .replaceAll(/\.\d{3}Z/g, "")

describe("compression", () => {
  let setup: Setup
  let member: Member
  let binding: Awaited<ReturnType<typeof nodeBinding>>
  beforeAll(async () => {
    setup = await makeSetup()
    member = await setup.join("Sunfield")
    await setup.run(fill(member))
    binding = await nodeBinding(setup.ports, { rateLimitPerMinute: 0 })
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  interface Sent {
    readonly line: string
    readonly accepted?: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
    readonly base?: string
  }

  /** Asks without the decoding that `fetch` does by itself. */
  const send = ({ accepted, base = binding.base, body, headers = {}, line }: Sent): Promise<IncomingMessage> => {
    const [method = "", path = ""] = line.split(" ")
    return new Promise((resolve, reject) => {
      request(`${base}${path}`, {
        method,
        headers: {
          "x-api-key": member.key,
          ...(accepted === undefined ? {} : { "accept-encoding": accepted }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        }
      })
        .once("error", reject)
        .once("response", resolve)
        .end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

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
    const requests: ReadonlyArray<Sent> = [
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
    const requests: ReadonlyArray<Sent> = [
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

  it("sends what it has before the next page is there, for a bounded number of responses at once", async () => {
    const { open, ports } = gated(setup.ports)
    const bound = await nodeBinding(ports, { rateLimitPerMinute: 0 })
    try {
      const ask = (accepted: string) => send({ line: "GET /api/sites", accepted, base: bound.base })
      const texts: Array<Promise<string>> = []
      for (const coding of ["br", "gzip"]) {
        const answer = await ask(coding)
        const decoded = answer.pipe(coding === "br" ? createBrotliDecompress() : createGunzip()).setEncoding("utf8")
        const first = await new Promise<string>((resolve) => decoded.once("data", resolve))
        expect(first).toMatch(/^\{"data":\[\{"id":/)
        texts.push(
          (async () => {
            let text = first
            for await (const piece of decoded) text += piece
            return text
          })()
        )
      }
      const others = []
      for (let index = 0; index < 18; index++) others.push(await ask("gzip"))
      expect(others.map(({ headers }) => headers["content-encoding"] ?? "identity")).toEqual([
        ...Array.from({ length: 14 }, () => "gzip"),
        ...Array.from({ length: 4 }, () => "identity")
      ])
      for (const other of others) other.destroy()
      open()
      for (const text of await Promise.all(texts)) expect(JSON.parse(text).data).toHaveLength(count)
    } finally {
      open()
      await bound.close()
    }
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
