/**
 * Unknown addresses, and a server that is stopped for a while.
 */
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { expectAccessible, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("outages of the console", () => {
  const setup = useSetup()

  it("show a page for an unknown address, and problem documents for paths of the API", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    for (const path of ["/nowhere", "/sites/a/b", "/profile/other"]) {
      expect((await page.goto(path))?.status(), path).toBe(404)
      await page.getByRole("heading", { name: "There is no such page" }).waitFor()
    }
    await expectAccessible(page)
    await page.getByRole("link", { name: "To the sites" }).click()
    await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor()
    const { origin } = setup().server
    const codeAt = async (path: string, accept: string) => {
      const answer = await fetch(`${origin}${path}`, { headers: { accept } })
      expect(answer.headers.get("content-type"), path).toContain("application/problem+json")
      return (await answer.json()).code
    }
    for (const path of ["/api/nowhere", "/console/nowhere", "/storage", "/assets/nowhere.js", "/health/nowhere"]) {
      expect(await codeAt(path, "text/html,*/*;q=0.8"), path).toBe("route_not_found")
    }
    expect(await codeAt("/nowhere", "*/*")).toBe("route_not_found")
  })

  it("show a message on a page that cannot be loaded, and open it when the server is back", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    await page.getByText("There are no sites yet").waitFor()
    let isStopped = true
    await page.route(/\/(assets|console)\//, (route) =>
      isStopped ? route.abort("connectionrefused") : route.continue()
    )
    await page.getByRole("link", { name: "Portfolios" }).click()
    await page.getByRole("heading", { name: "The server cannot be reached" }).waitFor()
    await expectAccessible(page)
    isStopped = false
    await page.getByText("There are no portfolios yet").waitFor()
  })

  it("reload the page when a newer version has replaced its code", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    await page.getByText("There are no sites yet").waitFor()
    await page.route(/\/assets\//, (route) => route.fulfill({ status: 404 }))
    await page.getByRole("link", { name: "Portfolios" }).click()
    await page.getByRole("heading", { name: "This page has failed" }).waitFor()
    await page.unroute(/\/assets\//)
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByText("There are no portfolios yet").waitFor()
  })
})
