import { createServer, request } from "node:http"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { afterAll, beforeAll, expect, it } from "vitest"
import { routes, type StorageApp, toNodeListener } from "../src/index.ts"
import { bindings, closed, listening, makeSetup, type Setup } from "./Setup.ts"

let setup: Setup
beforeAll(async () => {
  setup = await makeSetup()
})
afterAll(() => setup.close())

/** Answers with what it was sent, and where. */
const storage: StorageApp = ({ beforeReading }) =>
  Effect.gen(function* () {
    const { source, text, url } = yield* HttpServerRequest.HttpServerRequest
    beforeReading(source)
    return HttpServerResponse.text(`${url} ${yield* Effect.orDie(text)}`, { headers: { "cache-control": "private" } })
  })

const file = { method: "PUT", body: "a file" }

it.each(Object.entries(bindings))("serves files beside the API: %s", async (_, bind) => {
  const { base, close, send } = await bind(setup.ports, { prefix: "/solar", storage })
  const stored = await send(new Request(`${base}/solar/storage/a/b?token`, file))
  expect([stored.status, await stored.text()]).toEqual([200, "/solar/storage/a/b?token a file"])
  expect([stored.headers.get("cache-control"), stored.headers.get("x-request-id")]).toEqual(["private", null])
  for (const path of ["/storage/a", "/solar/storage", "/solar/storages/a", "/solar/Storage/a"]) {
    expect((await send(new Request(base + path, file))).headers.get("content-type")).toBe("application/problem+json")
  }
  expect((await send(new Request(`${base}/solar/health/live`))).status).toBe(200)
  await close()
})

it("serves files on the router of an Effect server", async () => {
  const app = routes({ prefix: "/solar", storage }).pipe(Layer.provide(setup.ports))
  const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
  expect(await (await handler(new Request("http://localhost/solar/storage/a", file))).text()).toBe(
    "/solar/storage/a a file"
  )
  await dispose()
})

it("asks for the body of a file only when the storage does", async () => {
  const solar = toNodeListener(setup.ports, { storage })
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
