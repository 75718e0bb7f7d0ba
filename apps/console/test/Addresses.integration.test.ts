/**
 * Pages that are opened by their addresses, and unknown addresses.
 */
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("addresses of the console", () => {
  const setup = useSetup()

  const statusAt = async (path: string) =>
    (await fetch(`${setup().server.origin}${path}`, { headers: { accept: "text/html" } })).status

  it("lead to a page for an unknown address, and to problem documents for paths of the API", async () => {
    await using watched = await setup().open("/sites/a/b", { own: true })
    const { page } = watched
    await page.getByRole("heading", { name: "There is no such page" }).waitFor()
    await expectAccessible(page)
    await page.getByRole("link", { name: "To the sites" }).click()
    await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor()
    for (const path of ["/nowhere", "/sites/a/b", "/profile/other"]) expect(await statusAt(path), path).toBe(404)
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

  // Other tests load the pages of the main navigation, the account and the import.
  it("open each page, and the tabs of one", async () => {
    const { client } = setup()
    const { id } = await client.portfolios.create({ name: "South" })
    const { id: siteId } = await client.sites.create({ siteName: "Long Meadow", capacity: 1, unit: "MW" })
    const pages = ["/", "/sites", "/sites/import", "/portfolios", "/documents", "/coverage", "/account", "/login"]
    const tabs = {
      [`/portfolios/${id}`]: [""],
      [`/sites/${siteId}`]: ["", "/documents", "/coverage", "/activity"],
      "/documents": ["/all", "/expiring"],
      "/company": ["", "/people", "/api-keys", "/webhooks", "/requirements", "/activity"]
    }
    const paths = Object.entries(tabs).flatMap(([path, names]) => names.map((name) => path + name))
    for (const path of [...pages, ...paths]) expect(await statusAt(path), path).toBe(200)
    await using watched = await setup().open("about:blank", { own: true })
    const { page } = watched
    await page.goto(`/sites/${siteId}/activity`)
    await page.getByText("Demo user created the site Long Meadow").first().waitFor()
    for (const [path, text] of [
      [`/portfolios/${id}`, "Add sites"],
      ["/documents/expiring", "Nothing expires in this time"],
      ["/company/webhooks", "There are no webhooks yet"]
    ] as const) {
      await visit(page, path)
      await page.getByText(text).first().waitFor()
    }
  })
})
