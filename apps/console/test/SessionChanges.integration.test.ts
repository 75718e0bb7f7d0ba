/**
 * Sessions that end or change their user while a page is shown.
 */
import type { BrowserContext, Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { clientOf, eventually, expectCount, expectFocus, expectValue } from "./Fixtures.ts"
import { expectAccessible, expectAccessibleInBothSchemes, logIn, takePicture, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("changes of the session in the console", () => {
  const setup = useSetup()
  /** An owner of an organisation that no other test uses. */
  const another = () => setup().server.take("Others").owner

  /** A page with a session of its own, which the test ends. */
  const openAsUser = (path: string) => setup().open(path, { as: setup().owner })

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
    await using watched = await openAsUser(`/sites/${site.id}`)
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
    await expectAccessibleInBothSchemes(page)
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
    await comeBackTo(page)
    await page.getByText("It was ended in another window").waitFor()
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
    const search = page.getByRole("dialog", { name: "Search everywhere" })
    const openSearch = async () => {
      // A page that is loading has no keys yet.
      await page.getByRole("button", { name: "Search everywhere" }).click()
      await search.getByRole("group", { name: "Pages" }).waitFor()
    }
    await page.getByRole("link", { name: "Ours alone" }).waitFor()
    await openSearch()
    await search.getByRole("combobox").fill("ours")
    await search.getByRole("option", { name: "Ours alone" }).click()
    await page.getByRole("heading", { name: "Ours alone" }).waitFor()
    await openSearch()
    await search.getByRole("group", { name: "Recently opened" }).waitFor()
    await page.keyboard.press("Escape")
    await search.waitFor({ state: "detached" })
    await page.getByRole("link", { name: "Sites", exact: true }).first().click()
    await page.getByRole("button", { name: "New site" }).click()
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Half filled")
    await endSession(context)
    await comeBackTo(page)
    await page.getByText("Your session has ended.").waitFor()
    const others = another()
    await page.getByRole("textbox", { name: "E-mail" }).fill(others.email)
    await page.getByLabel("Password", { exact: true }).fill(others.password)
    await page.getByRole("button", { name: "Log in" }).click()
    await page.getByText("There are no sites yet").waitFor()
    await page.getByRole("button", { name: "Account at Others" }).waitFor()
    // The address opens the form again, empty, some time after the page.
    const form = page.getByRole("dialog", { name: "New site" })
    await expectValue(form.getByRole("textbox", { name: "Name", exact: true }), "")
    await form.getByRole("button", { name: "Close" }).click()
    await form.waitFor({ state: "detached" })
    await openSearch()
    await expectCount(search.getByRole("group", { name: "Recently opened" }), 0)
    expect(await page.content()).not.toMatch(/Ours alone|Half filled/)
  })

  it("ends with a logout in another tab, and continues with a login there", async () => {
    await setup().client.sites.create({ siteName: "Ours again", capacity: 1, unit: "MW" })
    await using watched = await openAsUser("/sites")
    const { context, page } = watched
    await page.getByRole("link", { name: "Ours again" }).waitFor()
    const other = await context.newPage()
    await other.goto("/company")
    await other.getByRole("link", { name: "Webhooks" }).click()
    await other.getByText("There are no webhooks yet").waitFor()
    await other.getByRole("button", { name: /^Account at / }).click()
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
    await other.close()
  })

  it("says why and when it has ended", async () => {
    const others = another()
    await using watched = await setup().open("/company/webhooks", { as: others })
    const { page } = watched
    await page.getByRole("banner").waitFor()
    const passwords = { currentPassword: others.password, password: "a second password of them" }
    expect(await setup().request("PUT", "/console/account/password", passwords, others)).toBe(204)
    await comeBackTo(page)
    const reason =
      /^You were logged out because your password or second factor was changed on \d+ \w+ 20\d\d, \d\d:\d\d\.$/
    await page.getByText(reason).waitFor()
    await expectAccessible(page)
    await takePicture(page, "logged-out")
  })
})
