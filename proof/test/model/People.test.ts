import { describe, expect, it } from "vitest"
import type { CallTemplate } from "../../src/model/CallTemplate.ts"
import { leftOut, operations } from "../../src/model/operations.ts"
import type { Step } from "../../src/model/Runner.ts"
import { answering, type Change, onDatabase } from "./Finding.ts"

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

/** An invitation that ends with a claim of its domain, and one that ends with the role of its inviter. */
const invitation = call("createInvitation", { body: { email: { "@email": 9, of: "new" }, role: "admin" } })
const claim = (domains: ReadonlyArray<string>) => ({ does: "setLoginDomains" as const, organisation: 0, domains })
const invitations: ReadonlyArray<Step> = [
  { does: "createUser", organisation: 1, role: "owner" },
  ...[invitation, claim(["example.com"]), call("listInvitations"), invitation],
  ...[claim([]), call("listInvitations")],
  ...[call("updateUser", { ids: ofUser(0), body: { role: "viewer" } }), call("listInvitations"), call("listEvents")]
]

const visitor = { organisation: 1, key: 0, odd: "none" as const }

const logIn = (code: unknown) =>
  call("logIn", {
    who: visitor,
    body: { email: { "@email": 0, of: "own" }, password: { "@password": "right" }, code }
  })

const withFactor = [
  call("beginSecondFactor", { who: as(1, -1), body: { password: { "@password": "right" } } }),
  call("enableSecondFactor", { who: as(1, -1), body: { code: { "@code": 0 } } })
]

const newAddress = [
  call("changeEmail", {
    who: as(1, -1),
    body: { email: { "@email": 7, of: "new" }, password: { "@password": "right" } }
  }),
  call("confirmEmail", { who: visitor, body: { token: { "@link": 0, for: "email" } } })
]

const newPassword = [
  call("requestPasswordReset", { who: visitor, body: { email: { "@email": 0, of: "own" } } }),
  call("completePasswordReset", {
    who: visitor,
    body: { token: { "@link": 0, for: "reset" }, password: "violet tuna parade" }
  }),
  call("getSessionEnd")
]

describe("the model of users", () => {
  const database = onDatabase()
  const finding = (steps: ReadonlyArray<Step>, change: Change) => database.finding(steps, answering(change))

  it("knows every endpoint of the console, or says why it does not", async () => {
    const target = await database.make()
    const served = (target.endpoints ?? []).filter((line) => line.includes(" /console/"))
    await target.close()
    const known = Object.entries(operations).map(([, { method, path }]) => `${method} ${path}`)
    const all = [...known.filter((line) => line.includes(" /console/")), ...Object.keys(leftOut)]
    expect(served.map((line) => line.replaceAll(/:(\w+)/g, "{$1}")).sort()).toEqual(all.sort())
  })

  it("agrees with the console about roles, keys and sessions", async () => {
    const steps = [...demotion, call("logOut"), call("getSession"), call("listUsers", { who: as(0) })]
    expect(await database.finding(steps)).toBe("nothing")
  })

  it("agrees with the console about the ends of invitations", async () => {
    expect(await database.finding(invitations)).toBe("nothing")
  })

  it("notices an invitation into the domain of another organisation", async () => {
    const found = await finding(invitations, async (request, forward) => {
      const answer = await forward(request)
      const { code } = Object(
        await answer
          .clone()
          .json()
          .catch(() => ({}))
      )
      return code === "domain_taken" ? Response.json({ code: "email_taken" }, { status: 409 }) : answer
    })
    expect(found).not.toBe("nothing")
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

  it("agrees about second factors, new passwords and new addresses, and reads the links of mails", async () => {
    expect(await database.finding([...withFactor, logIn({ "@recovery": 0 }), ...newAddress, ...newPassword])).toBe(
      "nothing"
    )
  })

  it("keeps one model for all orders of concurrent logins", async () => {
    const logins: Step = { concurrent: [logIn(null), logIn(null), logIn(null)] }
    // With a model for each order there would be six to the power of six.
    expect(await database.finding(Array.from({ length: 6 }, () => logins))).toBe("nothing")
  })

  it("notices a code that is good twice", async () => {
    let first: Response | undefined
    const steps = [...withFactor, logIn({ "@recovery": 0 }), logIn({ "@recovery": 0 })]
    const found = await finding(steps, async (request, forward) => {
      const body = await request.clone().text()
      if (!/"code":"\w{4}-/.test(body) || !request.url.endsWith("/session")) return forward(request)
      first ??= await forward(request)
      const { headers, status } = first.clone()
      const id = request.headers.get("x-request-id") ?? ""
      return new Response(first.clone().body, {
        status,
        headers: { ...Object.fromEntries(headers), "x-request-id": id }
      })
    })
    expect(found).toContain("expected status 401 second_factor_wrong, found 200")
  })

  it("notices a session that survives a new password", async () => {
    let newest: string | null = null
    const change = call("changePassword", {
      who: as(1, -1),
      body: { currentPassword: { "@password": "right" }, password: { "@password": "other" } }
    })
    const older = call("getSession", { who: as(1, 2) })
    const found = await finding([logIn(null), change, older], (request, forward) => {
      if (request.method === "PUT") newest = request.headers.get("cookie")
      if (newest === null || request.method === "PUT") return forward(request)
      return forward(new Request(request.url, { headers: { ...Object.fromEntries(request.headers), cookie: newest } }))
    })
    expect(found).toContain("expected status 401 session_missing, found 200")
  })

  it("notices a refusal for the role that no concurrent change explains", async () => {
    let changes = 0
    const change = call("updateUser", { ids: ofUser(0), body: { name: "Ada" } })
    const found = await finding([{ concurrent: [change, change] }], async (request, forward) => {
      if (request.method !== "PUT" || ++changes < 2) return forward(request)
      const answer = await forward(new Request(request.url.replace(/\/[^/]*$/, "/none"), request))
      const { code: _, ...problem } = Object(await answer.json())
      const body = { ...problem, code: "role_insufficient", type: "urn:solar-sites:problem:role_insufficient" }
      return new Response(JSON.stringify(body), { status: 403, headers: answer.headers })
    })
    expect(found).toContain("no order explains the answers")
  })

  it("notices a mail that shows another organisation", async () => {
    const found = await database.finding(newAddress, (target) => ({
      mails: () => (target.mails?.() ?? []).map((mail) => ({ ...mail, text: `${mail.text} ZqA7v` }))
    }))
    expect(found).toContain("a mail shows ZqA7v of another organisation")
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
