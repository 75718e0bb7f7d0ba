import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { choose, eventually, expectCount } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectAccessibleInBothSchemes, takePicture, useSetup } from "./Setup.ts"

const keysPage = "/company/api-keys"

const shownKey = async (page: Page): Promise<string> =>
  (await page.getByLabel("API key", { exact: true }).textContent()) ?? ""

/** Opens the dialog that shows the key, by default of all portfolios. */
const createKey = async (page: Page, name: string, portfolio?: string): Promise<string> => {
  await page.getByRole("button", { name: "New key" }).click()
  await page.getByLabel("Name", { exact: true }).fill(name)
  if (portfolio !== undefined) {
    await page.getByRole("radio", { name: "Chosen portfolios only" }).check()
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText("Choose at least one portfolio").waitFor()
    await choose(page, "Portfolios", portfolio)
    await expectAccessible(page)
  }
  await page.getByRole("button", { name: "Continue" }).click()
  if (portfolio !== undefined) await page.getByText(`Sees: Only ${portfolio}.`).waitFor()
  await page.getByRole("button", { name: "Create the key" }).click()
  return shownKey(page)
}

const closeReveal = async (page: Page): Promise<void> => {
  await page.getByLabel("I have stored the key").check()
  await page.getByRole("button", { name: "Done" }).click()
  await page.getByRole("dialog").waitFor({ state: "detached" })
}

describe.skipIf(executablePath === "")("API keys in the console", () => {
  const setup = useSetup()

  const me = (key: string) => fetch(`${setup().server.origin}/api/me`, { headers: { "x-api-key": key } })

  // Runs first, while the list is empty, for the screenshots.
  it("are accessible in every state of the page", async () => {
    await using watched = await setup().open(keysPage)
    const { page } = watched
    await page.getByRole("table").waitFor()
    await page
      .getByText(`curl -H "x-api-key: $SOLAR_SITES_KEY" "${setup().server.origin}/api/sites?limit=10"`)
      .waitFor()
    await createKey(page, "Import from the old portal")
    await expectAccessibleInBothSchemes(page)
    await closeReveal(page)
    await setup().client.portfolios.create({ name: "North" })
    await visit(page)
    await createKey(page, "Monitoring in Leeds", "North")
    // Screenshots are published; the key in it is deleted.
    await page.getByLabel("API key", { exact: true }).evaluate((shown) => {
      shown.textContent = `sk_live_${"•".repeat(32)}`
    })
    await takePicture(page, "new-api-key")
    await closeReveal(page)
    await page
      .getByRole("row", { name: /Monitoring in Leeds/ })
      .getByText("Only North")
      .waitFor()
    await expectAccessible(page)
    await takePicture(page, "api-keys")
    await page.getByRole("button", { name: "Replace the key “Monitoring in Leeds”" }).click()
    await expectAccessibleInBothSchemes(page)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Delete the key “Monitoring in Leeds”" }).click()
    await expectAccessibleInBothSchemes(page)
    await takePicture(page, "delete-api-key")
    await page.getByRole("button", { name: "Delete the key", exact: true }).click()
    await page.getByText("The key “Monitoring in Leeds” was deleted").waitFor()
    await expectAccessibleInBothSchemes(page)
  })

  it("wait for the portfolios, which move the button of the first step", async () => {
    await using watched = await setup().open(keysPage, { own: true })
    const { page } = watched
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route("**/api/portfolios*", (route) => promise.then(() => route.continue()))
    await page.reload()
    await page.getByRole("button", { name: "New key" }).click()
    const next = page.getByRole("button", { name: "Continue" })
    expect(await next.isDisabled()).toBe(true)
    resolve()
    await page.getByRole("radio", { name: "Chosen portfolios only" }).waitFor()
    expect(await next.isEnabled()).toBe(true)
  })

  it("create a key in a dialog that no accident closes, and which is kept nowhere and valid until deleted", async () => {
    await using watched = await setup().open("/portfolios")
    const { context, page } = watched
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    await page.getByRole("heading", { name: "Portfolios", level: 1 }).waitFor()
    // The address of earlier versions redirects.
    await visit(page, "/profile/api-keys")
    await page.waitForURL(keysPage)
    const key = await createKey(page, "Used and deleted")
    expect(await (await me(key)).json()).toMatchObject({ apiKey: { name: "Used and deleted" } })

    const dialog = page.getByRole("dialog")
    await page.keyboard.press("Escape")
    await page.mouse.click(4, 4)
    await page.evaluate(() => history.back())
    await dialog.getByText("You are still looking at a key").waitFor()
    expect(await shownKey(page)).toBe(key)
    await eventually(async () => expect(await dialog.getByRole("button", { name: "Done" }).isDisabled()).toBe(true))
    // The label changes for a moment only, which a busy machine can miss.
    await eventually(async () => {
      await page.getByRole("button", { name: /^(Copy|Copied)$/ }).click()
      await page.getByRole("button", { name: "Copied", exact: true }).waitFor({ timeout: 1_500 })
    })
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await closeReveal(page)

    const row = page.getByRole("row", { name: "Used and deleted" })
    await row.getByText(key.slice(0, 14)).waitFor()
    const kept = await page.evaluate(() => [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll("input")].map(({ value }) => value),
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      JSON.stringify(history.state),
      location.href
    ])
    expect(kept.filter((text) => text.includes(key))).toEqual([])
    expect(setup().server.output()).not.toContain(key)
    await page.goBack()
    await page.getByRole("heading", { name: "Portfolios", level: 1 }).waitFor()
    await page.goForward()
    await row.waitFor()
    expect(await page.content()).not.toContain(key)

    await row.getByRole("button", { name: "Delete the key “Used and deleted”" }).click()
    await page.getByRole("dialog", { name: "Delete “Used and deleted”?" }).waitFor()
    await page.getByRole("button", { name: "Delete the key", exact: true }).click()
    await row.waitFor({ state: "detached" })
    expect((await me(key)).status).toBe(401)
  })

  it("show faults at their fields, the server's messages included, and have the chosen scopes", async () => {
    await using watched = await setup().open(keysPage)
    const { page } = watched
    const field = page.getByLabel("Name", { exact: true })
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText("Enter a name").waitFor()
    await field.fill("n".repeat(2_000))
    await page.getByLabel("Another number of days").check()
    await page.getByLabel("Days", { exact: true }).fill("0")
    await page.getByLabel("Do what you choose").check()
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText("Enter a whole number of days from 1 to 3,650").waitFor()
    await page.getByText("Choose at least one scope").waitFor()
    await page.getByLabel("Days", { exact: true }).fill("3650")
    await page.getByLabel("sites:read").check()
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("button", { name: "Create the key" }).click()
    await page.getByText("The key was not created").waitFor()
    await eventually(async () => expect(await field.getAttribute("aria-invalid")).toBe("true"))
    await expectAccessible(page)
    await field.fill("Reports")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("button", { name: "Create the key" }).click()
    expect(await (await me(await shownKey(page))).json()).toMatchObject({ scopes: ["sites:read"] })
    await closeReveal(page)
    await page.getByRole("row", { name: "Reports" }).getByText("Scopes: sites:read").waitFor()
  })

  it("rotate a key; the old one works for the chosen time", async () => {
    await using watched = await setup().open(keysPage)
    const { page } = watched
    const rotate = async (choice: string): Promise<string> => {
      await page.getByRole("button", { name: "Replace the key “Replaced”" }).first().click()
      await page.getByLabel(choice, { exact: true }).check()
      await page.getByRole("button", { name: "Replace the key", exact: true }).click()
      const key = await shownKey(page)
      await closeReveal(page)
      return key
    }
    const first = await createKey(page, "Replaced")
    await closeReveal(page)
    const second = await rotate("After a day")
    expect(await Promise.all([first, second].map(async (key) => (await me(key)).status))).toEqual([200, 200])
    const replaced = page.getByRole("row", { name: "Replaced by" })
    await replaced.getByText(`${second.slice(0, 14)}…`).waitFor()
    await replaced.getByText("by Demo user", { exact: true }).waitFor()
    const { height, width } = page.viewportSize() ?? { height: 720, width: 1120 }
    await page.setViewportSize({ height, width: 390 })
    await replaced.getByText(/^Created: .* by Demo user/).waitFor()
    await page.setViewportSize({ height, width })
    await replaced.getByText("in 1 day", { exact: true }).waitFor()
    // The newest key is first.
    const third = await rotate("At once")
    expect(await Promise.all([first, second, third].map(async (key) => (await me(key)).status))).toEqual([
      200, 401, 200
    ])
    await expectCount(page.getByRole("row", { name: "Replaced" }), 3)
    await page.getByRole("row", { name: "Replaced" }).getByText("Expired").waitFor()
  })

  it("create one key on a double click, and show a hostile name as text", async () => {
    await using watched = await setup().open(keysPage)
    const { page } = watched
    const name = `"><img src=x onerror="document.title='owned'"><script>1</script>`
    const requests: Array<string> = []
    page.on("request", (request) => {
      if (request.method() !== "GET") requests.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name", { exact: true }).fill(name)
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText(`“${name}” will work until`).waitFor()
    await page.getByRole("button", { name: "Create the key" }).dblclick()
    await page.getByRole("dialog", { name: `The key “${name}”` }).waitFor()
    await closeReveal(page)
    const row = page.getByRole("row", { name: "onerror" })
    await expectCount(row, 1)
    await row.getByRole("button", { name: "Delete the key" }).click()
    await page.getByRole("button", { name: "Delete the key", exact: true }).dblclick()
    await row.waitFor({ state: "detached" })
    expect(requests).toEqual(["POST /console/api-keys", expect.stringMatching(/^DELETE \/console\/api-keys\/[^/]+$/)])
    await eventually(async () => expect(await page.title()).toBe("API keys · Solar Sites"))
    expect(await page.locator("img[src=x]").count()).toBe(0)
  })

  it("warn that a key may exist when the response is lost, and list it", async () => {
    await using watched = await setup().open(keysPage)
    const { page } = watched
    await page.getByRole("table").waitFor()
    await page.route("**/console/api-keys", async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      await route.fetch()
      return route.abort("connectionreset")
    })
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Lost response")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("button", { name: "Create the key" }).click()
    await page.getByText("The key may have been made all the same").waitFor()
    await page.keyboard.press("Escape")
    await expectCount(page.getByRole("row", { name: "Lost response" }), 1)
  })
})
