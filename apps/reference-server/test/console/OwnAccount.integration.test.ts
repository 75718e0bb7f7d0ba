import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { User } from "../../src/accounts/people/User.ts"
import { word } from "../accounts/AccountsSetup.ts"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

const other = "another horse battery"

describe("a console without mail", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let instance: ConsoleInstance
  let owner: User
  let ada: Browser

  beforeAll(async () => {
    folder = await temporaryFolder()
    instance = await consoleInstance(await migratedAt(folder.path))
  })

  beforeEach(async () => {
    owner = await instance.newUser(await instance.newOrganisation(), "owner")
    ada = await instance.loggedIn(owner)
  })

  afterAll(async () => {
    await instance.close()
    await folder[Symbol.asyncDispose]()
  })

  it("shows the link of an invitation to the inviter, once", async () => {
    const email = `eve.${crypto.randomUUID()}@example.com`
    const { json } = await ada.send("POST /console/invitations", { body: { email, role: "viewer" } })
    const [, token = ""] = /^http:\/\/solar\.test\/invitation#([\w-]{43})$/.exec(String(json["link"])) ?? []
    const { text } = await ada.send("GET /console/invitations")
    expect(text).toContain(email)
    expect(text).not.toContain(token)
    const eve = instance.visitor()
    const body = { token, name: "Eve", password: other }
    expect((await eve.send("POST /console/invitations/accept", { body })).status).toBe(201)
    expect((await eve.send("POST /console/invitations/accept", { body })).outcome).toBe("link_invalid")
  })

  it("answers a request for a new password as with mail, and refuses a new e-mail address", async () => {
    const asked = await instance.visitor().send("POST /console/password-resets", { body: { email: owner.email } })
    expect([asked.status, asked.text]).toEqual([202, ""])
    const body = { email: "new@example.com", password: word }
    expect((await ada.send("POST /console/account/email", { body })).outcome).toBe("mail_not_configured")
  })

  it("lets users change their name and password", async () => {
    const elsewhere = await instance.loggedIn(owner)
    const endOf = (browser: Browser, headers = {}) => browser.send("GET /console/session/end", { headers })
    const unknown = await endOf(elsewhere)
    const change = (currentPassword: string, password = other) =>
      ada.send("PUT /console/account/password", { body: { currentPassword, password } })
    expect((await change("not the right words")).outcome).toBe("password_wrong")
    expect((await change(word, "too short")).outcome).toBe("validation_failed")
    const common = await change(word, `${owner.name}${owner.name}1234`)
    expect(common.json["errors"]).toEqual([
      { pointer: "/password", code: "invalid_value", detail: expect.stringContaining("easy to guess") }
    ])
    expect((await change(word)).status).toBe(204)
    expect((await elsewhere.send("GET /console/session")).outcome).toBe("session_missing")
    expect((await endOf(elsewhere)).json).toEqual({ reason: "password", endedAt: expect.stringMatching(/^20.*Z$/) })
    // A stranger's cookie is answered as a live session and as none are.
    const name = elsewhere.cookie().split("=")[0]
    const strangers = [`${name}=${"A".repeat(43)}`, `${name}=short`, `${elsewhere.cookie()}; ${elsewhere.cookie()}`, ""]
    for (const cookie of strangers) {
      const { headers, status, text } = await endOf(instance.visitor(), { cookie })
      expect([status, text, [...headers.keys()]]).toEqual([200, unknown.text, [...unknown.headers.keys()]])
    }
    expect(unknown.json).toEqual({ reason: null, endedAt: null })
    const account = { id: owner.id, email: owner.email, name: "Ada King", role: "owner", digest: "weekly" }
    expect((await ada.send("PUT /console/account", { body: { name: " Ada King " } })).json).toEqual(account)
    expect((await ada.send("PUT /console/account", { body: {} })).json).toEqual(account)
    expect((await ada.send("GET /console/account")).json).toEqual(account)
    expect((await change(other, word)).status).toBe(204)
  })

  it("gives no user another role or other portfolios by its own account", async () => {
    const eve = await instance.newUser(owner.organisationId, "viewer")
    const browser = await instance.loggedIn(eve)
    const { json } = await browser.send("PUT /console/account", {
      body: { name: "Eve", role: "owner", portfolioIds: [] }
    })
    expect(json).not.toMatchObject({ role: "owner" })
    const { json: listed } = await ada.send("GET /console/users")
    const stored = Object(listed["data"]).find(({ id }: User) => id === eve.id)
    expect(stored).toMatchObject({ role: "viewer", portfolioIds: null })
  })

  it("lets users choose how often they have the digest, alone or with the name", async () => {
    const change = (body: object) => ada.send("PUT /console/account", { body })
    expect((await ada.send("GET /console/account")).json).toMatchObject({ digest: "weekly" })
    expect((await change({ digest: "daily" })).json).toMatchObject({ name: owner.name, digest: "daily" })
    expect((await change({ digest: "daily" })).json).toMatchObject({ digest: "daily" })
    expect((await change({ name: "Ada King" })).json).toMatchObject({ name: "Ada King", digest: "daily" })
    expect((await change({ name: "Ada", digest: "none" })).json).toMatchObject({ name: "Ada", digest: "none" })
    expect((await ada.send("GET /console/account")).json).toMatchObject({ name: "Ada", digest: "none" })
    for (const digest of ["monthly", null, 1]) {
      expect((await change({ digest })).outcome).toBe("validation_failed")
    }
    const { json } = await ada.send("GET /console/api/events?type=user.updated")
    expect(Object(json["data"]).map(({ changes }: { changes: unknown }) => changes)).toEqual([
      { digest: { from: "weekly", to: "daily" } },
      { name: { from: owner.name, to: "Ada King" } },
      { name: { from: "Ada King", to: "Ada" }, digest: { from: "daily", to: "none" } }
    ])
  })

  it("lists and ends sessions", async () => {
    const browser = instance.visitor()
    await browser.send("POST /console/session", {
      body: { email: owner.email, password: word },
      headers: { "user-agent": "x".repeat(300) }
    })
    const { json } = await ada.send("GET /console/sessions")
    expect(json["data"]).toEqual([
      expect.objectContaining({ current: false, userAgent: "x".repeat(200), method: "password" }),
      expect.objectContaining({ current: true })
    ])
    const [listed] = Object(json["data"])
    const bob = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    for (const id of [listed.id, crypto.randomUUID(), "17"]) {
      expect((await bob.send(`DELETE /console/sessions/${id}`)).outcome).toBe("session_not_found")
    }
    expect((await bob.send(`DELETE /console/users/${owner.id}/sessions`)).outcome).toBe("user_not_found")
    expect((await ada.send(`DELETE /console/sessions/${listed.id}`)).status).toBe(204)
    expect((await browser.send("GET /console/session")).outcome).toBe("session_missing")
    expect((await ada.send("DELETE /console/sessions")).status).toBe(204)
    expect((await ada.send("GET /console/session")).status).toBe(200)
    expect((await ada.send(`DELETE /console/users/${owner.id}/sessions`)).status).toBe(204)
    expect((await ada.send("GET /console/session")).outcome).toBe("session_missing")
  })
})
