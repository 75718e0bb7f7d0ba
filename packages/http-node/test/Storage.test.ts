import { createServer, request } from "node:http"
import { StorageError } from "@solar-sites/core"
import { Effect, Layer, Logger, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { describe, expect, it, vi } from "vitest"
import { type AccessLine, routes, type StorageApp, type StorageRefused, toNodeListener } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { bindings, closed, listening } from "./Setup.ts"

const { setup } = useMember()

/** Answers with the path and the body of the request. */
const storage: StorageApp = ({ beforeReading }) =>
  Effect.gen(function* () {
    const { source, text, url } = yield* HttpServerRequest.HttpServerRequest
    beforeReading(source)
    return HttpServerResponse.text(`${url} ${yield* Effect.orDie(text)}`, { headers: { "cache-control": "private" } })
  })

const file = { method: "PUT", body: "a file" }

it.each(Object.entries(bindings))("serves files beside the API: %s", async (_, bind) => {
  const { base, close, send } = await bind(setup().ports, { prefix: "/solar", storage })
  const stored = await send(new Request(`${base}/solar/storage/a/b?token`, file))
  expect([stored.status, await stored.text()]).toEqual([200, "/solar/storage/a/b?token a file"])
  expect(stored.headers.get("cache-control")).toBe("private")
  expect(stored.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
  for (const path of ["/storage/a", "/solar/storage", "/solar/storages/a", "/solar/Storage/a"]) {
    expect((await send(new Request(base + path, file))).headers.get("content-type")).toBe("application/problem+json")
  }
  expect((await send(new Request(`${base}/solar/health/live`))).status).toBe(200)
  await close()
})

it("serves files on the router of an Effect server", async () => {
  const app = routes({ prefix: "/solar", storage }).pipe(Layer.provide(setup().ports))
  const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
  expect(await (await handler(new Request("http://localhost/solar/storage/a", file))).text()).toBe(
    "/solar/storage/a a file"
  )
  await dispose()
})

it("sends 100 Continue for a file only when the storage reads it", async () => {
  const solar = toNodeListener(setup().ports, { storage })
  const server = createServer(solar.listener).on("checkContinue", solar.checkContinue)
  const port = await listening(server)
  const seen = await new Promise<ReadonlyArray<unknown>>((resolve, reject) => {
    const sent: Array<unknown> = []
    const headers = { expect: "100-continue", "content-length": "6" }
    const sending = request({ host: "127.0.0.1", port, path: "/storage/a", method: "PUT", headers }, (response) => {
      sent.push(response.statusCode)
      response.resume().on("end", () => resolve(sent))
    })
    sending.on("continue", () => {
      sent.push("continue")
      sending.end("a file")
    })
    sending.on("error", reject).flushHeaders()
  })
  expect(seen).toEqual(["continue", 200])
  await closed(server)
  await solar.close()
})

const route = "/storage/{organisationId}/{siteId}/{documentId}"
const organisationId = "0197a3b0-7c1e-7000-8000-000000000001"
const path = `/storage/${organisationId}/0197a3b0-7c1e-7000-8000-000000000002/0197a3b0-7c1e-7000-8000-000000000003`
const line = { route, organisationId, apiKeyId: null, keyPrefix: null }

const refusal: StorageRefused = {
  _tag: "StorageRefused",
  status: 412,
  code: "already_uploaded",
  title: "Already uploaded",
  detail: "An address takes one file, and has it."
}

describe.each(Object.entries(bindings))("files of a storage, through %s", (_, bind) => {
  const lines: Array<AccessLine> = []
  const onRequest = (each: AccessLine) => void lines.push(each)

  it("have the request id, the problem document and the access line of every response", async () => {
    const { base, close, send } = await bind(setup().ports, { storage: () => Effect.fail(refusal), onRequest })
    lines.length = 0
    const sent = new Request(base + path, { ...file, headers: { "x-request-id": "attempt-0001" } })
    const response = await send(sent)
    const { _tag, ...members } = refusal
    expect(await response.json()).toEqual({
      ...members,
      type: "urn:solar-sites:problem:already_uploaded",
      requestId: "attempt-0001"
    })
    expect(response.headers.get("x-request-id")).toBe("attempt-0001")
    expect(lines).toMatchObject([{ ...line, requestId: "attempt-0001", status: 412, organisationId: null }])
    await close()
  })

  it("are answered 503 by a storage that is full or fails, with the time to wait", async () => {
    for (const [reason, code, wait] of [
      ["full", "storage_full", "60"],
      ["unavailable", "storage_unavailable", "1"]
    ] as const) {
      const failing = Effect.fail(new StorageError({ operation: "test", reason, cause: new Error("a disk") }))
      const ports = Layer.merge(setup().ports, Logger.layer([]))
      const { base, close, send } = await bind(ports, { storage: () => failing })
      const response = await send(new Request(base + path, file))
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, wait])
      expect(await response.json()).toMatchObject({ code })
      await close()
    }
  })

  it("are logged when they end: complete, or as 499 when the client closes the connection", async () => {
    const endless = Stream.concat(Stream.make(new Uint8Array(10)), Stream.never)
    const bodies = { whole: Stream.make(new Uint8Array(10)), endless }
    const download: StorageApp = () =>
      Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
        HttpServerResponse.stream(url.endsWith("?endless") ? bodies.endless : bodies.whole)
      )
    const { base, close, send } = await bind(setup().ports, { storage: download, onRequest })
    lines.length = 0
    const whole = await send(new Request(base + path))
    await whole.arrayBuffer()
    await vi.waitFor(() => expect(lines).toMatchObject([{ ...line, method: "GET", status: 200 }]), 100_000)
    const reader = (await send(new Request(`${base}${path}?endless`))).body?.getReader()
    await reader?.read()
    expect(lines).toHaveLength(1)
    await reader?.cancel()
    await vi.waitFor(() => expect(lines.at(1)).toMatchObject({ ...line, status: 499 }), 100_000)
    await close()
  })

  it("are open to pages of the same origins as the API, for the methods of the storage", async () => {
    const refused: StorageApp = () =>
      Effect.fail({ ...refusal, status: 405, code: "method_not_allowed", headers: { allow: "GET, HEAD, PUT" } })
    const { base, close, send } = await bind(setup().ports, { storage: refused, corsOrigins: ["https://a.example"] })
    const preflight = (origin: string) =>
      send(new Request(base + path, { method: "OPTIONS", headers: { origin, "access-control-request-method": "PUT" } }))
    const granted = await preflight("https://a.example")
    expect([granted.status, granted.headers.get("access-control-allow-origin")]).toEqual([204, "https://a.example"])
    expect(granted.headers.get("access-control-allow-methods")).toBe("GET, HEAD, PUT")
    expect((await preflight("https://b.example")).status).toBe(405)
    await close()
  })
})
