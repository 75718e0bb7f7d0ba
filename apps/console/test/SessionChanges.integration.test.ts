/**
 * Sessions that end or change their user while a page is shown.
 */
import type { BrowserContext, Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { clientOf, eventually, expectCount, expectFocus, expectValue } from "./Fixtures.ts"
import { answersArrived } from "./KeptPage.ts"
import type { Login } from "./Server.ts"
import { expectAccessible, expectContrast, logIn, takePicture, useSetup } from "./Setup.ts"

const outside = { loggedIn: false } as const

describe.skipIf(executablePath === "")("changes of the session in the console", () => {
  const setup = useSetup()
  /** An owner of an organisation that no other test uses. */
  const another = () => setup().server.take("Others").owner

  /** A page with a session of its own, which the test ends. */
  const openAsUser = (path: string) => setup().open(path, { as: setup().owner, own: true })

  const headers = () => ({ origin: setup().server.origin })

  const endSession = async (context: BrowserContext) => {
    expect((await context.request.delete("/console/session", { headers: headers() })).status()).toBe(204)
  }

  /** As if the tab is shown again. */
  const comeBackTo = (page: Page) =>
    page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))

  const logInAgain = async (page: Page) => {
    await page.getByText("Your session has ended.").waitFor()
    await page.getByLabel("Password", { exact: true }).fill(setup().owner.password)
    await page.getByRole("button", { name: "Log in" }).click()
  }

  it("keeps a half-filled form when the session ends, until the same user logs in", async () => {
    const site = await setup().client.sites.create({ siteName: "Half filled", capacity: 1, unit: "MW" })
    await using watched = await setup().open(`/sites/${site.id}`, { as: setup().owner })
    const { context, page } = watched
    await page.getByRole("button", { name: "Edit" }).click()
    await expectFocus(page.getByRole("textbox", { name: "Name", exact: true }))
    await page.getByRole("textbox", { name: "Address" }).fill("1 Solar Road")
    await endSession(context)
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Your session has ended.").waitFor()
    await page.getByText("It was ended in another window").waitFor()
    await eventually(async () => expect(await page.title()).toBe("Log in · Solar Sites"))
    await expectCount(page.getByRole("heading", { name: "Half filled" }), 0)
    await expectAccessible(page)
    await expectContrast(page)
    // Keys that close a dialog do not reach the hidden form.
    await page.keyboard.press("Escape")
    await logInAgain(page)
    expect(new URL(page.url()).pathname).toBe(`/sites/${site.id}`)
    await expectValue(page.getByRole("textbox", { name: "Address" }), "1 Solar Road")
    await page.getByText("Your session had ended before this was done. Try again.").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Half filled was saved.").waitFor()
    expect(await clientOf(page).sites.get(site.id)).toMatchObject({ address: "1 Solar Road", version: 2 })
    await eventually(async () => expect(await page.title()).toBe("Half filled · Solar Sites"))
  })

  it("keeps a new key that was not copied yet, in the page alone", async () => {
    await using watched = await openAsUser("/company/api-keys")
    const { context, page } = watched
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Not stored yet")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("button", { name: "Create the key" }).click()
    const shown = page.getByLabel("API key", { exact: true })
    const key = (await shown.textContent()) ?? ""
    expect(key).toMatch(/^sk_live_/)
    // The list is read again for the new key, and would notice the end of the session.
    await page.locator("tbody tr", { hasText: "Not stored yet" }).waitFor()
    await endSession(context)
    await page.clock.setSystemTime(Date.now() + 3 * 3_600_000)
    await comeBackTo(page)
    await page.getByText("A session ends after 2 hours without use.").waitFor()
    await shown.waitFor({ state: "hidden" })
    const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])
    expect(await page.evaluate(stored)).not.toContain(key)
    await logInAgain(page)
    await shown.waitFor()
    expect(await shown.textContent()).toBe(key)
    await page.getByLabel("I have stored the key").check()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("row", { name: "Not stored yet" }).waitFor()
  })

  it("shows no data of the previous user to another user", async () => {
    await setup().client.sites.create({ siteName: "Ours alone", capacity: 1, unit: "MW" })
    await using watched = await openAsUser("/sites")
    const { context, page } = watched
    await page.getByRole("link", { name: "Ours alone" }).waitFor()
    await page.getByRole("button", { name: "New site" }).click()
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Half filled")
    await endSession(context)
    await page.clock.setSystemTime(Date.now() + 13 * 3_600_000)
    await comeBackTo(page)
    await page.getByText("A session lasts 12 hours at most.").waitFor()
    const others = another()
    await page.getByRole("textbox", { name: "E-mail" }).fill(others.email)
    await page.getByLabel("Password", { exact: true }).fill(others.password)
    await page.getByRole("button", { name: "Log in" }).click()
    await page.getByText("There are no sites yet").waitFor()
    await page.getByRole("button", { name: "Account at Others" }).waitFor()
    expect(await page.content()).not.toMatch(/Ours alone|Half filled/)
  })

  it("continues as the user who logged in in another tab, and ends with a logout there", async () => {
    await setup().client.sites.create({ siteName: "Ours again", capacity: 1, unit: "MW" })
    await using watched = await openAsUser("/sites")
    const { context, page } = watched
    await page.getByRole("link", { name: "Ours again" }).waitFor()
    // A login in a tab that does not notify the others.
    const { email, password } = another()
    const login = { headers: headers(), data: { email, password } }
    expect((await context.request.post("/console/session", login)).status()).toBe(200)
    await comeBackTo(page)
    await page.getByRole("button", { name: "Account at Others" }).waitFor()
    await page.getByText("There are no sites yet").waitFor()
    expect(await page.content()).not.toContain("Ours again")
    // A login in a tab that does.
    const other = await context.newPage()
    await other.goto("/coverage")
    await other.getByRole("link", { name: "Portfolios", exact: true }).click()
    await other.getByText("There are no portfolios yet").waitFor()
    await other.getByRole("button", { name: "Account at Others" }).click()
    await expectAccessible(other)
    await other.getByRole("menuitem", { name: "Log out" }).click()
    await other.waitForURL("/login")
    await page.waitForURL("/login")
    await eventually(async () => expect(await context.cookies()).toEqual([]))
    await other.goBack()
    await other.waitForURL("/login")
    await logIn(other, setup().owner)
    await page.getByRole("link", { name: "Sites", exact: true }).first().click()
    await page.getByRole("link", { name: "Ours again" }).waitFor()
  })

  it("stays logged in when an answer from before the login arrives after it", async () => {
    await using watched = await setup().open("about:blank", { ...outside, own: true })
    const { page } = watched
    const late = Promise.withResolvers<void>()
    await page.route("**/console/session", async (route) => {
      if (route.request().method() !== "GET") return route.continue()
      const response = await route.fetch()
      await late.promise
      return route.fulfill({ response })
    })
    await page.goto("/login")
    await logIn(page, setup().owner)
    const answered = page.waitForResponse(
      (answer) => answer.url().endsWith("/console/session") && answer.request().method() === "GET"
    )
    late.resolve()
    expect((await answered).status()).toBe(401)
    await page.getByRole("link", { name: "Portfolios", exact: true }).click()
    await page.getByRole("heading", { name: "Portfolios", level: 1 }).waitFor()
    await expectCount(page.getByText("Your session has ended."), 0)
  })

  it("says why and when it has ended, to the browser that had it", async () => {
    const others = another()
    const changed: Login = { ...others, password: "a second password of them" }
    await using watched = await setup().open("/", { as: others, own: true })
    const { page } = watched
    await page.getByRole("banner").waitFor()
    const passwords = { currentPassword: others.password, password: changed.password }
    expect(await setup().request("PUT", "/console/account/password", passwords, others)).toBe(204)

    await comeBackTo(page)
    const reason = page.getByText(
      /^You were logged out because your password or second factor was changed on \d+ \w+ 20\d\d, \d\d:\d\d\.$/
    )
    await reason.waitFor()
    await expectAccessible(page)
    await takePicture(page, "logged-out")
    // A new tab has no page to go on with.
    await page.goto("/sites")
    await page.waitForURL("/login")
    await reason.waitFor()
    await logIn(page, changed)
    expect(new URL(page.url()).pathname).toBe("/sites")
    await using stranger = await setup().open("/login", outside)
    await stranger.page.getByLabel("E-mail").waitFor()
    await answersArrived(stranger.page)
    await expectCount(stranger.page.getByText("You were logged out"), 0)
  })
})
