import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { aSite, expectProblem, type Send, sending } from "./Calls.ts"
import { type Running, start } from "./ExampleProcess.ts"
import { beginRequest, refused } from "./LastRequest.ts"
import { answersAll } from "./Requests.ts"

describe("the example own-users", () => {
  let running: Running
  let isStopped = true
  const tokens: Record<string, string> = {}
  // Also after the test that stops it.
  beforeEach(async () => {
    if (!isStopped) return
    isStopped = false
    running = await start({ name: "own-users", command: ["src/main.ts"], ready: /(log in)/ })
    for (const user of ["ada", "mia"]) {
      const answer = await send("POST /login", { body: { user } })
      tokens[user] = answer.json.token
    }
  })
  afterAll(() => running?.stop())

  const as = (user?: string) => (user === undefined ? {} : { authorization: `Bearer ${tokens[user]}` })
  const send = sending(() => ({ base: running.address, credentials: {} }))
  const solarOf = (user?: string): Send => sending(() => ({ base: `${running.address}/solar`, credentials: as(user) }))
  const [ada, mia] = [solarOf("ada"), solarOf("mia")]
  const aKey = async (user: string): Promise<string> =>
    (await send("POST /api-keys", { headers: as(user), body: { name: "Reporting" } })).json.secret

  describe("below /solar", () => {
    answersAll(() => ({ base: `${running.address}/solar`, credentials: as("ada") }), { hasStore: true })
  })

  it("leaves other pages, and unknown ones, to the host", async () => {
    expect((await send("GET /hello")).text).toBe("Hello from the host.")
    expect((await send("GET /nowhere")).headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect((await send("POST /login", { body: { user: "unknown" } })).status).toBe(401)
    expect((await send("POST /api-keys", { body: { name: "Reporting" } })).status).toBe(401)
  })

  it("acts for the users of the host within their companies", async () => {
    const me = await ada("GET /api/me")
    expect(me.json).toMatchObject({
      organisation: { name: "Sunfield Energy", status: "active" },
      userId: "ada",
      apiKey: null
    })
    const id = await aSite(mia)
    expect((await mia(`GET /api/sites/${id}`)).status).toBe(200)
    expectProblem(await ada(`GET /api/sites/${id}`), 404, "site_not_found")
  })

  it("looks up O&M records in the host", async () => {
    const [siteId, other, foreign] = [await aSite(ada), await aSite(ada), await aSite(mia)]
    const record = (site: string, user: string) =>
      send("POST /om-records", { headers: as(user), body: { siteId: site } })
    const issue = (omRecordId: string) => {
      const files = [{ filename: "visit.txt", mimeType: "text/plain", documentType: "om_ticket" }]
      return ada("POST /api/docs/bulk-upload-url", { body: { siteId, fileType: "om-documents", omRecordId, files } })
    }
    for (const id of ["unknown", (await record(other, "ada")).json.id, (await record(foreign, "mia")).json.id]) {
      expectProblem(await issue(id), 404, "om_record_not_found")
    }
    const omRecordId = (await record(siteId, "ada")).json.id
    const { documentId } = (await issue(omRecordId)).json.results[0]
    expect((await ada(`GET /api/docs/${documentId}`)).json).toMatchObject({ omRecordId, uploadedBy: "ada" })
  })

  it("refuses the keys of a company that the host has deactivated", async () => {
    const withKey = { headers: { "x-api-key": await aKey("mia") } }
    const switchTo = (active: boolean) => send("PUT /company", { headers: as("mia"), body: { active } })
    expect((await solarOf()("GET /api/me", withKey)).json).toMatchObject({
      userId: "mia",
      apiKey: { name: "Reporting" }
    })
    await switchTo(false)
    expectProblem(await solarOf()("GET /api/me", withKey), 403, "organisation_inactive")
    await switchTo(true)
    expect((await solarOf()("GET /api/me", withKey)).status).toBe(200)
  })

  it("answers requests in progress when it is stopped, then ends", async () => {
    const last = await beginRequest(`${running.address}/solar/api/sites`, await aKey("ada"))
    const ended = running.stop()
    isStopped = true
    await refused(running.address)
    expect(await last.end({ siteName: "The last one", capacity: 1, unit: "MW" })).toBe(201)
    expect((await ended).code).toBe(0)
  })
})
