/**
 * What has its place on a telephone and on a laptop.
 */
import type { Locator } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { eventually, expectCount } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectNoSidewaysScrolling, useSetup } from "./Setup.ts"

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (box === null) throw new Error("the element is not shown")
  return box
}

describe.skipIf(executablePath === "")("the layout of the console", () => {
  const setup = useSetup()

  it("keeps rows as high as before their health was read, and texts apart, on a telephone", async () => {
    const { client, open } = await setup().another()
    const { id: portfolioId } = await client.portfolios.create({ name: "A portfolio with a name of several words" })
    await client.sites.create({ siteName: "Long Meadow", capacity: 48.6, unit: "kWp", address: "Leeds", portfolioId })
    await client.requirements.replace({ requirements: [{ documentType: "insurance", validityRequired: true }] })
    await using watched = await open("/nowhere", { width: 390, height: 844 })
    const { page } = watched
    const { promise: asked, resolve: release } = Promise.withResolvers<void>()
    await page.route("**/console/coverage?*", async (route) => {
      await asked
      await route.continue()
    })
    await visit(page, "/sites")
    const row = page.getByRole("row", { name: /Long Meadow/ })
    const summary = row.getByText("A portfolio with a name")
    await summary.waitFor()
    const { height } = await boxOf(row)
    release()
    await row.getByText("Missing").waitFor()
    expect((await boxOf(row)).height).toBe(height)
    // Cut behind a word or letter, with dots.
    expect(await summary.evaluate((element) => getComputedStyle(element).webkitLineClamp)).toBe("1")
    await expectCount(row.getByRole("cell"), 4)

    const name = page.getByRole("banner").getByText("Solar Sites")
    const search = page.getByRole("banner").getByRole("button", { name: /^Search/ })
    for (const width of [360, 390, 412, 417, 430]) {
      await page.setViewportSize({ width, height: 844 })
      const box = await boxOf(name)
      // For screen readers alone it is a pixel wide.
      if (box.width > 1) expect((await boxOf(search)).x - box.x - box.width).toBeGreaterThanOrEqual(8)
      await expectNoSidewaysScrolling(page)
    }

    await visit(page, "/company/requirements")
    await page.getByRole("row", { name: /Insurance/ }).waitFor()
    await expectCount(page.getByRole("columnheader"), 2)
    expect((await boxOf(page.getByRole("row", { name: /Insurance/ }))).height).toBeLessThan(60)
    await expectNoSidewaysScrolling(page)
  })

  it("ends the map within the window of a laptop, and begins the labels of all filters alike", async () => {
    const { client, open } = await setup().another()
    await client.sites.create({ siteName: "Romney", capacity: 1, unit: "MW", latitude: 51, longitude: 1 })
    await using watched = await open("/sites?view=map", { width: 1280, height: 800 })
    const { page } = watched
    const map = page.locator(".leaflet-container")
    await map.waitFor()
    const { height, y } = await boxOf(map)
    expect(y + height).toBeLessThanOrEqual(800)

    for (const path of ["/sites", "/documents", "/coverage", "/company/activity"]) {
      await visit(page, path)
      const fields = page.getByRole("main").locator("input[placeholder]:not([type=search])")
      await fields.first().waitFor()
      const labels = await fields.evaluateAll((inputs) => inputs.map((input) => input.getAttribute("placeholder")))
      expect(labels.filter((label) => !label?.startsWith("Any "))).toEqual([])
    }
  })

  it("shows its name before the scripts and the session have arrived, and then the page", async () => {
    await using watched = await setup().open("/nowhere", { own: true })
    const { page } = watched
    const scripts = Promise.withResolvers<void>()
    const session = Promise.withResolvers<void>()
    const hold = (pattern: string, { promise }: { readonly promise: Promise<void> }) =>
      page.route(pattern, async (route) => {
        await promise
        await route.continue()
      })
    await hold("**/assets/*.js", scripts)
    await hold("**/console/session", session)
    await page.goto("/sites", { waitUntil: "commit" })
    const name = page.getByText("Solar Sites", { exact: true })
    await name.waitFor()
    // Nothing is painted before the styles have arrived, but the element has a box.
    const arePainted = () => page.evaluate(() => [...document.styleSheets].some(({ href }) => href !== null))
    await eventually(async () => expect(await arePainted()).toBe(true))
    const priorities = await page
      .locator("script[src]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("fetchpriority")))
    expect(new Set(priorities)).toEqual(new Set(["low"]))
    const before = await boxOf(name)
    scripts.resolve()
    await page.getByRole("status", { name: "Loading" }).waitFor()
    expect(await boxOf(name)).toEqual(before)
    session.resolve()
    await page.getByRole("heading", { name: "Sites" }).waitFor()
    await expectCount(page.locator(".starting"), 0)
  })

  it("keeps the header and the navigation in view", async () => {
    await using watched = await setup().open("/company/api-keys", { own: true, width: 1280, height: 400 })
    const { page } = watched
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.getByRole("main").evaluate((main) => {
      main.style.height = "3000px"
      scrollTo(0, 2_000)
    })
    const navigation = page.getByRole("navigation", { name: "Main navigation" })
    expect(await boxOf(page.getByRole("banner"))).toEqual({ x: 0, y: 0, width: 1280, height: 56 })
    expect(await boxOf(navigation)).toEqual({ x: 0, y: 56, width: 216, height: 344 })
    await expectNoSidewaysScrolling(page)

    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole("button", { name: "Open the navigation" }).click()
    const opened = { x: 0, y: 56, width: 390, height: 788 }
    await eventually(async () => expect(await boxOf(navigation)).toEqual(opened))
    await expectNoSidewaysScrolling(page)
  })

  it("moves nothing that is shown when totals arrive late", async () => {
    const { client, open } = await setup().another()
    const { id: portfolioId } = await client.portfolios.create({ name: "Yorkshire rooftops" })
    for (const name of ["Iberia", "Southern ground mounts", "Lombardy"]) await client.portfolios.create({ name })
    await client.sites.create({ siteName: "Long Meadow", capacity: 48.6, unit: "kWp", portfolioId })
    await using watched = await open("/nowhere", { own: true, width: 412, height: 823 })
    const { page } = watched
    await page.route("**/console/organisation/overview", async (route) => {
      await page.waitForTimeout(300)
      await route.continue()
    })
    for (const path of ["/portfolios", "/"]) {
      await page.goto(path)
      await page.getByRole("region", { name: "Capacity by portfolio" }).getByText("Yorkshire rooftops").waitFor()
      const moved = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) => {
              resolve(list.getEntries().reduce((sum, entry) => sum + Number(Reflect.get(entry, "value")), 0))
            }).observe({ type: "layout-shift", buffered: true })
            // Without any, there is no entry.
            setTimeout(() => resolve(0), 200)
          })
      )
      // Part of the window that has moved, times how far.
      expect(moved).toBeLessThan(0.05)
    }
  })
})
