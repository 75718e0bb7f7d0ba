import { Caller, OrganisationId, UserId } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { describeProblem } from "../src/contract/index.ts"
import { type AccessLine, type HostEndpoint, HostRefused, type HttpOptions, routes } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, bindings, caller } from "./Setup.ts"

const { member, setup } = useMember()

const loginNeeded = new HostRefused({
  status: 401,
  code: "login_needed",
  title: "Login needed",
  detail: "Log in first.",
  headers: { "www-authenticate": "Login" }
})

const organisationId = OrganisationId.make("0190a5c0-0000-7000-8000-000000000000")
const someone = new Caller({ organisationId, userId: UserId.make("u-1"), apiKeyId: null })

const endpoints: ReadonlyArray<HostEndpoint> = [
  {
    method: "GET",
    path: "/pages/:name",
    serve: ({ identify, params }) => {
      identify(someone)
      return Effect.succeed(
        HttpServerResponse.text(`page ${params["name"]}`, { headers: { "cache-control": "private" } })
      )
    }
  },
  {
    method: "POST",
    path: "/pages",
    serve: ({ clientAddress, readJson }) =>
      Effect.map(readJson(100), (value) => HttpServerResponse.jsonUnsafe({ clientAddress, value }))
  },
  {
    method: "PUT",
    path: "/files",
    serve: ({ readBytes }) => Effect.map(readBytes(100), (bytes) => HttpServerResponse.jsonUnsafe([...bytes]))
  },
  { method: "GET", path: "/closed", serve: () => Effect.fail(loginNeeded) },
  { method: "GET", path: "/gone", serve: () => Effect.fail(new HostRefused(describeProblem("route_not_found"))) },
  {
    method: "GET",
    path: "/broken",
    serve: () => {
      throw new Error("a secret")
    }
  }
]

describe.each(Object.entries(bindings))("a host with %s", (_, bind) => {
  const withOptions = async <A>(
    options: HttpOptions,
    use: (send: (key: string | null) => ReturnType<typeof caller>) => Promise<A>
  ) => {
    const binding = await bind(setup().ports, options)
    return use((key) => caller(binding, key)).finally(binding.close)
  }

  it("answers unknown paths by notFound", async () => {
    const lines: Array<AccessLine> = []
    const notFound: HttpOptions["notFound"] = ({ request }) =>
      request.url.includes("/api/")
        ? Effect.fail(new HostRefused(describeProblem("route_not_found")))
        : Effect.succeed(HttpServerResponse.text(`nothing at ${request.url}`, { status: 404 }))
    const options = {
      endpoints,
      notFound,
      prefix: "/solar",
      onRequest: (line: AccessLine) => lines.push(line)
    } as const
    await withOptions(options, async (as) => {
      const send = as(null)
      const page = await send("GET /solar/nowhere?a=1")
      expect([page.status, page.text]).toEqual([404, "nothing at /solar/nowhere?a=1"])
      expect((await send("HEAD /solar/nowhere")).status).toBe(404)
      expect((await send("GET /solar/pages/one")).text).toBe("page one")
      for (const line of ["GET /solar/api/nowhere", "POST /solar/nowhere", "GET /nowhere"]) {
        expect((await send(line)).json.code, line).toBe("route_not_found")
      }
      expect((await send("DELETE /solar/pages")).json.code).toBe("method_not_allowed")
    })
    expect(lines.slice(0, 2).map(({ route, status }) => [route, status])).toEqual([
      [null, 404],
      [null, 404]
    ])
  })

  it("serves its own endpoints like all others", async () => {
    const lines: Array<AccessLine> = []
    await withOptions({ endpoints, prefix: "/solar", onRequest: (line) => lines.push(line) }, async (as) => {
      const send = as(null)
      const page = await send("GET /solar/pages/one")
      expect([page.status, page.text, page.headers.get("cache-control")]).toEqual([200, "page one", "private"])
      expect(page.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
      const posted = await send("POST /solar/pages", { body: { a: 1 } })
      expect([posted.json.value, posted.headers.get("cache-control")]).toEqual([{ a: 1 }, "no-store"])
      const file = { body: "no JSON", headers: { "content-type": "text/csv" } }
      expect((await send("PUT /solar/files", file)).text).toBe(JSON.stringify([...Buffer.from(file.body)]))
      for (const [line, body, code] of [
        ["GET /pages/one", undefined, "route_not_found"],
        ["GET /solar/pages/one/two", undefined, "route_not_found"],
        ["DELETE /solar/pages", undefined, "method_not_allowed"],
        ["POST /solar/pages", "x".repeat(101), "body_too_large"],
        ["PUT /solar/files", "x".repeat(101), "body_too_large"],
        ["GET /solar/broken", undefined, "internal"]
      ] as const) {
        const { json } = await send(line, body === undefined ? {} : { body })
        expect([line, json.code]).toEqual([line, code])
      }
    })
    expect(lines[0]).toMatchObject({ route: "/pages/{name}", status: 200, organisationId, userId: "u-1" })
    expect(lines[1]).not.toHaveProperty("userId")
  })

  it("refuses with its own problem, in the form of all others", () =>
    withOptions({ endpoints }, async (as) => {
      const { headers, json, status } = await as(null)("GET /closed")
      expect([status, headers.get("www-authenticate")]).toEqual([401, "Login"])
      expect(headers.get("content-type")).toBe("application/problem+json")
      expect(json).toEqual({
        type: "urn:solar-sites:problem:login_needed",
        status: 401,
        title: "Login needed",
        detail: "Log in first.",
        code: "login_needed",
        requestId: headers.get("x-request-id")
      })
      expect((await as(null)("GET /gone")).json).toMatchObject({ code: "route_not_found", status: 404 })
    }))

  it("serves all endpoints with a caller at a second path, by its own authentication", async () => {
    const lines: Array<AccessLine> = []
    const user = { organisationId: member().organisation.id, userId: "u-1" }
    const options: HttpOptions = {
      secondPrefix: "/pages",
      onRequest: (line) => lines.push(line),
      authenticate: ({ headers: { cookie }, url }) => {
        if (!url.startsWith("/pages/")) return null
        return cookie === "session=1" ? Effect.succeed(user) : Effect.fail(loginNeeded)
      }
    }
    await withOptions(options, async (as) => {
      const headers = { cookie: "session=1" }
      const created = await as(null)("POST /pages/api/sites", { body: aNewSite, headers })
      expect([created.status, created.headers.get("location")]).toEqual([201, `/pages/api/sites/${created.json.id}`])
      expect((await as(member().key)("GET /api/sites")).status).toBe(200)
      for (const [key, line, sent, code] of [
        [member().key, "GET /pages/api/sites", {}, "login_needed"],
        [null, "GET /api/sites", headers, "api_key_missing"],
        [null, "GET /pages/docs", headers, "route_not_found"],
        [null, "GET /pages/health/live", headers, "route_not_found"],
        [null, "GET /pages/pages/api/sites", headers, "route_not_found"],
        [null, "PATCH /pages/api/sites", headers, "method_not_allowed"]
      ] as const) {
        expect([line, (await as(key)(line, { headers: sent })).json.code]).toEqual([line, code])
      }
    })
    expect(lines[0]).toMatchObject({ route: "/pages/api/sites", userId: "u-1", apiKeyId: null })
    expect(lines[1]).not.toHaveProperty("userId")
  })
})

describe("routes of an Effect server with endpoints of the host", () => {
  it("include them and the second path", async () => {
    const authenticate = () => ({ organisationId: member().organisation.id })
    const app = routes({ endpoints, secondPrefix: "/mine", authenticate }).pipe(Layer.provide(setup().ports))
    const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
    const send = caller({ base: "http://localhost", send: handler, close: dispose }, null)
    expect((await send("GET /pages/one")).text).toBe("page one")
    expect((await send("GET /closed")).json.code).toBe("login_needed")
    expect((await send("GET /mine/api/sites")).status).toBe(200)
    await dispose()
  })
})
