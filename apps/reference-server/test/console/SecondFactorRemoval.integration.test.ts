import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { User } from "../../src/accounts/User.ts"
import { word } from "../accounts/AccountsSetup.ts"
import { authenticator } from "../accounts/Authenticator.ts"
import { type MailServer, mailServer } from "../mail/MailServer.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

const path = "/console/account/second-factor"

describe("a lost second factor", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let mails: MailServer
  let instance: ConsoleInstance

  beforeAll(async () => {
    folder = await temporaryFolder()
    mails = await mailServer()
    instance = await consoleInstance({
      DATA_DIR: join(folder.path, "data"),
      QUERY_TIMEOUT: "30s",
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: "solar@example.com"
    })
  })

  afterAll(async () => {
    await instance.close()
    await mails.close()
    await folder[Symbol.asyncDispose]()
  })

  /** A browser of the user, who has an active factor. */
  const enabled = async (user: User) => {
    const browser = await instance.loggedIn(user)
    const { json } = await browser.send(`POST ${path}`, { body: { password: word } })
    const code = authenticator(String(json["secret"]))(Date.now())
    expect((await browser.send(`PUT ${path}`, { body: { code } })).status).toBe(200)
    return browser
  }

  it("is removed by an owner or admin who manages the user, who is told by mail", async () => {
    const organisationId = await instance.newOrganisation()
    const owner = await instance.newUser(organisationId, "owner")
    const member = await instance.newUser(organisationId, "member")
    const admin = await instance.loggedIn(await instance.newUser(organisationId, "admin"))
    const viewer = await instance.loggedIn(await instance.newUser(organisationId, "viewer"))
    const browser = await enabled(member)
    await enabled(owner)
    const { headers, text } = await mails.mailTo(member.email)
    expect(headers.get("subject")).toBe("The second factor of your account on Solar Sites was changed")
    expect(text).toContain("switched on")

    const remove = (from: typeof admin, { id }: User) => from.send(`DELETE /console/users/${id}/second-factor`)
    expect((await remove(viewer, member)).outcome).toBe("role_insufficient")
    expect((await remove(admin, owner)).outcome).toBe("role_insufficient")
    expect((await browser.send("GET /console/session")).status).toBe(200)
    expect((await remove(admin, member)).status).toBe(204)
    expect((await remove(admin, member)).outcome).toBe("second_factor_not_enabled")
    expect((await browser.send("GET /console/session")).outcome).toBe("session_missing")
    expect((await mails.mailTo(member.email, 2)).text).toContain("has removed the second factor")
    const again = await instance.loggedIn(member)
    expect((await again.send(`GET ${path}`)).json).toMatchObject({ enabled: false })
  })

  it("can be demanded by owners and admins only", async () => {
    const organisationId = await instance.newOrganisation()
    const owner = await instance.newUser(organisationId, "owner")
    const viewer = await instance.loggedIn(await instance.newUser(organisationId, "viewer"))
    const body = { requireSecondFactor: true }
    expect((await viewer.send("PUT /console/organisation", { body })).outcome).toBe("role_insufficient")
    expect((await viewer.send("GET /console/organisation")).json).toMatchObject({ requireSecondFactor: false })
    expect((await (await enabled(owner)).send("PUT /console/organisation", { body })).status).toBe(200)
    expect((await viewer.send("GET /console/organisation")).outcome).toBe("second_factor_setup_required")
  })
})
