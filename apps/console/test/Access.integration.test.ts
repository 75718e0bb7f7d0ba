/**
 * Invitations, links, roles and second factors, each flow in the browser.
 */
import { describe, expect, it } from "vitest"
import { codeOf, pathOf, setUpFactor } from "./AccessSetup.ts"
import { executablePath } from "./Browser.ts"
import { eventually, expectCount, expectFocus, expectTexts } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectContrast, expectNoSidewaysScrolling, takePicture, useSetup } from "./Setup.ts"

const outside = { loggedIn: false } as const
// The console takes the token from the address when it is loaded.
const byLink = { loggedIn: false, own: true } as const
const people = "/company/people"

describe.skipIf(executablePath === "")("access in the console", () => {
  const setup = useSetup()

  const invite = async (email: string): Promise<string> => {
    await using watched = await setup().open(people)
    const { page } = watched
    await page.getByRole("button", { name: "Invite" }).click()
    await page.getByLabel("E-mail").fill(email)
    await page.getByLabel("Member").check()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Send the invitation" }).click()
    const link = (await page.getByLabel("Link of the invitation").textContent()) ?? ""
    await expectAccessible(page)
    await page.getByLabel("I have copied the link").check()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("row", { name: email }).getByText("Member").waitFor()
    await expectAccessible(page)
    await takePicture(page, "people")
    return pathOf(link)
  }

  it("invites a user, who joins, sets up a second factor, logs in with it and ends a session", async () => {
    const login = { email: "grace@example.com", password: "a password of the invited" }
    await using watched = await setup().open(await invite(login.email), byLink)
    const { page } = watched
    await page.getByText("as member").waitFor()
    await eventually(() => expect(new URL(page.url()).hash).toBe(""))
    await expectAccessible(page)
    await page.getByLabel("Name").fill("Grace Hopper")
    await page.getByLabel("New password").fill("short")
    await page.getByRole("button", { name: "Accept the invitation" }).click()
    await page.getByText("must have at least 12 characters").first().waitFor()
    await page.getByLabel("New password").fill(login.password)
    await page.getByRole("button", { name: "Accept the invitation" }).click()
    await page.waitForURL("/")

    await page.getByRole("button", { name: "Account at" }).click()
    await page.getByRole("menuitem", { name: "My account" }).click()
    await page.getByRole("button", { name: "Set up" }).click()
    const key = await setUpFactor(page, login.password)
    expect((await page.getByLabel("Recovery codes").locator("code").textContent())?.split("\n")).toHaveLength(10)
    await expectAccessible(page)
    await page.getByLabel("I have stored the codes").check()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByText("10 of 10 recovery codes are left").waitFor()

    await using again = await setup().open("/account", outside)
    const { page: other } = again
    await other.getByLabel("E-mail").fill(login.email)
    await other.getByLabel("Password", { exact: true }).fill(login.password)
    await other.getByRole("button", { name: "Log in" }).click()
    const code = other.getByLabel("Code", { exact: true })
    await code.fill("000000")
    expect(await code.getAttribute("autocomplete")).toBe("one-time-code")
    await other.getByRole("button", { name: "Log in" }).click()
    await other.getByText("The code is wrong").waitFor()
    await expectAccessible(other)
    // The code of a later step than that of the set-up; each code counts once.
    await code.fill(codeOf(key, 1))
    await other.getByRole("button", { name: "Log in" }).click()
    await other.waitForURL("/account")
    await other.getByText("This one").waitFor()
    await expectAccessible(other)
    await expectContrast(other)
    await takePicture(other, "account")
    await other.getByRole("button", { name: "End the session of Chrome, Linux" }).click()
    await other.getByText("The session has ended.").waitFor()
    expect((await page.request.get("/console/session")).status()).toBe(401)
  })

  it("sets a new password by a link", async () => {
    const password = "a new password after all"
    const { resetPath, viewer } = setup().server.take("Others")
    await using watched = await setup().open(resetPath, byLink)
    const { page } = watched
    await page.getByLabel("New password").fill(password)
    await eventually(() => expect(new URL(page.url()).hash).toBe(""))
    await expectAccessible(page)
    await page.getByRole("button", { name: "Set the password" }).click()
    await page.getByText(`The password of ${viewer.email} was changed`).waitFor()
    await page.getByRole("link", { name: "To the login" }).click()
    await page.waitForURL("/login")
    const login = { headers: { origin: setup().server.origin }, data: { email: viewer.email, password } }
    expect((await page.request.post("/console/session", login)).status()).toBe(200)
  })

  it("requests a link for a new password without telling whether the user exists", async () => {
    await using watched = await setup().open("/login", outside)
    const { page } = watched
    await page.getByRole("link", { name: "Forgot password?" }).click()
    await page.getByRole("heading", { name: "Forgot password?" }).waitFor()
    await page.getByLabel("E-mail").fill("unknown@example.com")
    await expectAccessible(page)
    await page.getByRole("button", { name: "Send the link" }).click()
    await page.getByText("If there is a user with the address unknown@example.com").waitFor()
    await expectAccessible(page)
  })

  it("explains links that are no longer valid, and failed logins at the provider", async () => {
    await using watched = await setup().open("/email#unknown", byLink)
    const { page } = watched
    await page.getByRole("button", { name: "Confirm the address" }).click()
    await page.getByText("This link was used or replaced").waitFor()
    await expectAccessible(page)
    {
      await using without = await setup().open("/invitation", outside)
      await without.page.getByText("This page needs the link").waitFor()
    }
    await using failed = await setup().open("/login?problem=oidc_denied", outside)
    await failed.page.getByText("The login was cancelled at the provider.").waitFor()
    await failed.page.getByLabel("Password", { exact: true }).waitFor()
    await expectAccessible(failed.page)
  })

  it("changes the own name and password", async () => {
    const { owner } = setup().server.take("Others")
    await using watched = await setup().open("/account", { as: owner })
    const { page } = watched
    await page.getByLabel("Name").fill("Jill C. Tarter")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Your name was saved.").waitFor()
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByLabel("Current password").fill("not the password")
    await page.getByLabel("New password").fill("another password")
    await page.getByRole("button", { name: "Change the password" }).click()
    await page.getByText("This is not your current password.").waitFor()
    await expectAccessible(page)
    await page.getByLabel("Current password").fill(owner.password)
    await page.getByRole("button", { name: "Change the password" }).click()
    await page.getByText("Your password was changed").waitFor()
    await page.getByText("This one").waitFor()
  })

  it("keeps the last owner", async () => {
    await using watched = await setup().open(people, { width: 360, height: 740 })
    const { page } = watched
    const actions = page.getByRole("row", { name: setup().owner.email }).getByRole("button")
    await actions.click()
    await page.getByRole("menuitem", { name: "Change access" }).click()
    await page.getByRole("radio", { name: "Admin" }).check()
    await page.getByRole("button", { name: "Change the access" }).click()
    await page.getByText("An organisation needs an owner").waitFor()
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await expectFocus(actions)
    await expectNoSidewaysScrolling(page)
  })

  it("lets admins manage everyone but owners", async () => {
    const { admin, member, owner } = setup()
    await using watched = await setup().open(people, { as: admin })
    const { page } = watched
    const row = (email: string) => page.getByRole("row", { name: email })
    await row(member.email).getByRole("button").click()
    await page.getByRole("menuitem", { name: "End sessions" }).click()
    await page.getByRole("button", { name: "End the sessions" }).click()
    await page.getByText(`All sessions of Mary Jackson have ended.`).waitFor()
    await expectCount(row(owner.email).getByRole("button"), 0)
    await row(admin.email).getByRole("button").click()
    await expectTexts(page.getByRole("menuitem"), ["Change access …"])
  })

  it("shows viewers no buttons that change anything", async () => {
    const { portfolios, sites } = setup().client
    const { id } = await sites.create({ siteName: "Only read", capacity: 1, unit: "MW" })
    await portfolios.create({ name: "Only read" })
    await using watched = await setup().open("/sites", { as: setup().viewer })
    const { page } = watched
    const expectButtons = (texts: ReadonlyArray<string>) =>
      expectTexts(page.getByRole("main").getByRole("button").filter({ hasText: /./ }), texts)
    await page.getByRole("link", { name: "Only read" }).waitFor()
    await expectButtons(["Export CSV", "Table", "Map", "Saved views", "Columns", "Name", "Health", "Capacity"])
    await expectCount(page.getByRole("checkbox"), 0)
    await visit(page, `/sites/${id}/documents`)
    await page.getByText("This site has no documents yet").waitFor()
    await expectButtons([])
    await visit(page, "/portfolios")
    await page.getByRole("table").waitFor()
    await expectButtons(["Export CSV", "Name", "Created", "Changed"])
    await visit(page, people)
    await page.getByText("Owners and admins manage people.").waitFor()
    await page.getByRole("row", { name: setup().viewer.email }).waitFor()
    await expectCount(page.getByRole("main").getByRole("button"), 0)
    await expectCount(page.getByRole("link", { name: "API keys" }), 0)
    await visit(page, "/company/api-keys")
    await page.getByText("Owners and admins manage API keys.").waitFor()
    await expectAccessible(page)
  })

  it("follows a role that is lowered while a page is open", async () => {
    await using watched = await setup().open("/sites", { as: setup().member })
    const { page } = watched
    await page.getByRole("button", { name: "New site" }).click()
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Too late")
    await page.getByLabel("Capacity").fill("1")
    const session = await page.evaluate(async () => (await fetch("/console/session")).json())
    expect(await setup().request("PUT", `/console/users/${session.user.id}`, { role: "viewer" })).toBe(200)
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByText("Your role does not allow this.").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "New site" }).waitFor({ state: "detached" })
  })

  it("shows only the set-up while the organisation demands a second factor", async () => {
    const { owner } = setup().server.take("Others")
    await using watched = await setup().open(people, { as: owner })
    const { page } = watched
    await page.getByLabel("Demand a second factor").click()
    await page.getByText("A second factor is demanded now.").waitFor()
    await visit(page, "/sites")
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor()
    await expectAccessible(page)
    await setUpFactor(page, owner.password)
    const dialog = page.getByRole("dialog", { name: "Recovery codes" })
    await dialog.waitFor()
    // The session is read again when the window is shown; the codes stay.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))
    await page.getByLabel("I have stored the codes").check()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByText("There are no sites yet").waitFor()
    await visit(page, "/account")
    await page.getByText("Your organisation demands it").waitFor()
    await expectCount(page.getByRole("button", { name: "Switch off" }), 0)
  })
})
