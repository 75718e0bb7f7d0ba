import { describe, expect, it } from "vitest"
import { executablePath, openPage } from "./Browser.ts"
import { eventually, expectCount, expectFocus, expectValue } from "./Fixtures.ts"
import { answersArrived } from "./KeptPage.ts"
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectNoSidewaysScrolling,
  logIn,
  takePicture,
  useSetup
} from "./Setup.ts"

const outside = { loggedIn: false } as const

describe.skipIf(executablePath === "")("sessions in the console", () => {
  const setup = useSetup()

  it("refuses a wrong password, and opens the requested page after the right one", async () => {
    await using watched = await setup().open("/company/api-keys", outside)
    const { page } = watched
    await page.waitForURL("/login")
    const { email, password } = setup().owner
    await page.getByLabel("E-mail").fill(email)
    await page.getByLabel("Password", { exact: true }).fill("not the password")
    await page.getByRole("button", { name: "Log in" }).click()
    await page.getByRole("alert").waitFor()
    await expectValue(page.getByLabel("Password", { exact: true }), "")
    await expectValue(page.getByLabel("E-mail"), email)
    await expectAccessibleInBothSchemes(page)
    await logIn(page, { email, password })
    await page.waitForURL("/company/api-keys")
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]))
    ).not.toContain(password)
    expect(setup().server.output().split(password)).toHaveLength(1)
  })

  it("show how long to wait after too many wrong passwords", async () => {
    await using watched = await setup().open("/login", outside)
    const { page } = watched
    const { origin } = setup().server
    const body = JSON.stringify({ email: "nobody@example.com", password: "not the password" })
    const init = { method: "POST", headers: { origin, "content-type": "application/json" }, body }
    let status = 401
    while (status === 401) status = (await fetch(`${origin}/console/session`, init)).status
    expect(status).toBe(429)
    await page.getByLabel("E-mail").fill("nobody@example.com")
    await page.getByLabel("Password", { exact: true }).fill("not the password")
    await page.getByRole("button", { name: "Log in" }).click()
    await page.getByText(/That was tried too often\. Try again in \d+ (seconds|minutes)\./).waitFor()
  })

  it("have an accessible login page, and work by keyboard alone", async () => {
    await using watched = await setup().open("/login", outside)
    const { page } = watched
    const { email, password } = setup().owner
    // The first field has the focus.
    await expectFocus(page.getByLabel("E-mail"))
    await expectAccessible(page)
    // A browser that had no session reads of no end.
    await answersArrived(page)
    await expectCount(page.getByText("You were logged out"), 0)
    await takePicture(page, "login")
    await page.keyboard.type(email)
    await page.keyboard.press("Tab")
    await page.keyboard.type(password)
    await page.keyboard.press("Enter")
    await page.waitForURL("/")
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.locator("body").press("Tab")
    const focused = page.locator(":focus")
    for (let steps = 0; (await focused.textContent()) !== "Skip to the content" && steps < 3; steps += 1) {
      await page.keyboard.press("Shift+Tab")
    }
    await page.keyboard.press("Enter")
    await eventually(async () => expect(await focused.getAttribute("id")).toBe("main"))
    await page.getByRole("link", { name: "Company profile" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "API keys" }).waitFor()
    await eventually(async () => expect(await focused.getAttribute("id")).toBe("main"))
    await page.getByRole("link", { name: "API keys" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "New key" }).waitFor()
    // A tab keeps the focus.
    expect(await focused.textContent()).toBe("API keys")
    for (let steps = 0; (await focused.textContent()) !== "New key" && steps < 4; steps += 1) {
      await page.keyboard.press("Tab")
    }
    await page.keyboard.press("Enter")
    await expectFocus(page.getByRole("dialog").getByLabel("Name", { exact: true }))
    await page.keyboard.type("By keyboard")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog", { name: "Create this key?" }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
  })

  it("show a lost connection, and continue when it is back", async () => {
    await using watched = await setup().open("/portfolios")
    const { context, page } = watched
    await page.getByRole("heading", { name: "Portfolios", level: 1 }).waitFor()
    // The code of the next page loads once the connection is back.
    await page.getByRole("link", { name: "Company profile" }).click()
    await page.getByRole("link", { name: "API keys" }).click()
    await page.getByRole("table").waitFor()
    await context.setOffline(true)
    await page.getByText("No connection to the server").waitFor()
    await context.setOffline(false)
    await page.getByText("No connection to the server").waitFor({ state: "detached" })
  })

  it("retry until the server answers", async () => {
    await using watched = await setup().open("/portfolios")
    const { page } = watched
    await page.getByRole("heading", { name: "Portfolios", level: 1 }).waitFor()
    let isReachable = false
    await page.route("**/console/api-keys", (route) =>
      isReachable ? route.continue() : route.abort("connectionrefused")
    )
    await page.getByRole("link", { name: "Company profile" }).click()
    await page.getByRole("link", { name: "API keys" }).click()
    await page.getByText("No connection to the server").waitFor()
    isReachable = true
    await page.getByRole("table").waitFor()
    await page.getByText("No connection to the server").waitFor({ state: "detached" })
  })

  it("follow the colour scheme of the system, unless another one is chosen", async () => {
    await using watched = await setup().open("/company/api-keys")
    const { page } = watched
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" })
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme")
    await page.getByRole("table").waitFor()
    await eventually(async () => expect(await scheme()).toBe("dark"))
    await takePicture(page, "dark", "dark")
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
    await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
    await page.getByRole("button", { name: "Colours" }).click()
    await expectAccessible(page)
    await page.getByRole("menuitemradio", { name: "Dark" }).click()
    await page.reload()
    await page.getByRole("table").waitFor()
    await eventually(async () => expect(await scheme()).toBe("dark"))
    // The page is kept for other tests, with the choice in its state.
    await page.getByRole("button", { name: "Colours" }).click()
    await page.getByRole("menuitemradio", { name: "System" }).click()
    await eventually(async () => expect(await scheme()).toBe("light"))
  })

  it("fit a narrow screen", async () => {
    await using watched = await setup().open("/company/api-keys", { width: 360, height: 740 })
    const { page } = watched
    await page.getByRole("table").waitFor()
    await expectNoSidewaysScrolling(page)
    await expectAccessibleInBothSchemes(page)
    await takePicture(page, "narrow")
    // Hidden navigation takes no keyboard focus.
    await page.getByRole("button", { name: "Open the navigation" }).focus()
    const focused: Array<string | null> = []
    // The buttons of the header stand between the navigation and the page.
    while (focused.length < 10 && focused.at(-1) !== "Overview") {
      await page.keyboard.press("Tab")
      focused.push(await page.locator(":focus").textContent())
    }
    expect(focused).not.toContain("Sites")
    expect(focused.at(-1)).toBe("Overview")
    await page.getByRole("button", { name: "Open the navigation" }).click()
    await page.getByRole("link", { name: "Portfolios" }).click()
    await page.getByRole("heading", { name: "Portfolios", level: 1 }).waitFor()
    await page.getByRole("button", { name: "Open the navigation" }).waitFor()
  })

  it("offer the provider alone while passwords are switched off", async () => {
    await using watched = await setup().open("about:blank", { ...outside, own: true })
    const { page } = watched
    await page.route("**/console/configuration", async (route) => {
      const response = await route.fetch()
      const login = { password: false, oidc: { name: "Example ID" } }
      return route.fulfill({ response, json: { ...(await response.json()), login } })
    })
    await page.goto("/portfolios")
    const button = page.getByRole("link", { name: "Log in with Example ID" })
    expect(await button.getAttribute("href")).toBe("/console/oidc/start?returnTo=%2Fportfolios")
    await page.getByLabel("E-mail").waitFor({ state: "detached" })
    await expectAccessible(page)
  })

  it("use a cookie that scripts cannot read and that is no API key", async () => {
    await using watched = await setup().open("/sites")
    const { context, page } = watched
    await page.getByRole("banner").waitFor()
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" })
    expect(await page.evaluate(() => document.cookie)).toBe("")
    expect(await page.evaluate(async () => (await fetch("/api/me")).status)).toBe(401)
  })

  it("block forbidden scripts and requests to other origins, and the tests detect both", async () => {
    const { browser, server } = setup()
    await using watched = await openPage(browser, server.origin)
    const { faults, page } = watched
    await page.goto("/login")
    await page.getByLabel("E-mail").waitFor()
    expect(faults()).toEqual([])
    await page.evaluate(async () => {
      document.body.insertAdjacentHTML("beforeend", '<p style="color: red" onclick="void 0">inline</p>')
      document.body.append(Object.assign(document.createElement("script"), { textContent: "document.title = 'owned'" }))
      await fetch("https://example.com/").catch(() => {})
    })
    expect(await page.title()).toBe("Log in · Solar Sites")
    for (const directive of ["style-src", "script-src", "connect-src"])
      await eventually(() => expect(faults().join("\n")).toContain(directive))
  })
})
