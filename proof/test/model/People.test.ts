import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CallTemplate } from "../../src/model/CallTemplate.ts"
import { runSteps, type Step } from "../../src/model/Runner.ts"
import { places } from "../../src/model/targets/Databases.ts"
import type { Place, Target } from "../../src/model/targets/Target.ts"

const as = (organisation: number, session = 0) => ({ organisation, key: 0, session })

const call = (name: CallTemplate["call"], more: Partial<CallTemplate> = {}): CallTemplate => ({
  ...{ call: name, who: as(1), ids: [] },
  ...more
})

const ofUser = (n: number) => [{ "@id": "users" as const, of: "own" as const, n }]

/** A key of an owner who becomes a viewer. */
const demotion: ReadonlyArray<Step> = [
  { does: "createUser", organisation: 1, role: "owner" },
  call("createApiKey", { body: { name: "Key" } }),
  call("updateUser", { ids: ofUser(0), body: { role: "viewer" } }),
  call("createSite", { who: { organisation: 1, key: 2 }, body: { siteName: "South", capacity: 1, unit: "kW" } })
]

describe("the model of users", () => {
  let place: Place

  beforeAll(async () => {
    const pglite = await places["pglite"]?.()
    if (pglite === undefined) throw new Error("PGlite is part of the dependencies")
    place = pglite
  }, 120_000)

  afterAll(() => place.close())

  /** What the model says to steps, with some requests answered by `change`. */
  const finding = async (
    steps: ReadonlyArray<Step>,
    change?: (request: Request, forward: (request: Request) => Promise<Response>) => Promise<Response>
  ): Promise<string> => {
    const target = await place.make()
    const forward: Target["fetch"] = (toRequest, server) =>
      change?.(toRequest("http://solar.test"), (request) => target.fetch(() => request, server)) ??
      target.fetch(toRequest, server)
    try {
      await runSteps({ ...target, fetch: forward }, steps)
      return "nothing"
    } catch (error) {
      return String(error)
    } finally {
      await target.close()
    }
  }

  it("agrees with the console about roles, keys and sessions", async () => {
    const steps = [...demotion, call("logOut"), call("getSession"), call("listUsers", { who: as(0) })]
    expect(await finding(steps)).toBe("nothing")
  })

  it("notices a role that does not change with the answer", async () => {
    const found = await finding(demotion, async (request, forward) => {
      if (request.method !== "PUT") return forward(request)
      // Changes nothing, and answers as if it had.
      const same = new Request(request.clone(), { body: "{}" })
      const { headers, status } = await forward(same)
      const answered = await forward(new Request(request.url.replace(/\/[^/]*$/, ""), { headers: request.headers }))
      const { data } = Object(await answered.json())
      return Response.json({ ...data[0], role: "viewer" }, { status, headers })
    })
    expect(found).toMatch(/expected/)
  })

  it("notices a session that goes on after its end", async () => {
    const found = await finding([call("logOut"), call("getSession")], async (request, forward) => {
      if (request.method !== "DELETE") return forward(request)
      const headers = { ...Object.fromEntries(request.headers), cookie: "" }
      return forward(new Request(request.url, { method: "DELETE", headers }))
    })
    expect(found).toContain("expected status 401 session_missing, found 200")
  })

  it("notices users of another organisation", async () => {
    let first: string | null = null
    const found = await finding([call("listUsers", { who: as(0) }), call("listUsers")], (request, forward) => {
      if (!request.url.endsWith("/users")) return forward(request)
      first ??= request.headers.get("cookie")
      const headers = { ...Object.fromEntries(request.headers), cookie: first ?? "" }
      return forward(new Request(request.url, { headers }))
    })
    expect(found).toContain("of another organisation")
  })
})
