/**
 * Pages that are opened by their addresses, and unknown addresses.
 */
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { expectAccessible, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("addresses of the console", () => {
  const setup = useSetup()

  it("lead to a page for an unknown address, and to problem documents for paths of the API", async () => {
    await using watched = await setup().open("about:blank", { own: true })
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

  // Other tests load the list of sites, the overview, the coverage, the account and the import.
  it("open each page", async () => {
    const { client } = setup()
    const { id } = await client.portfolios.create({ name: "South" })
    const site = { siteName: "Long Meadow", capacity: 1, unit: "MW", portfolioId: id } as const
    const { id: siteId } = await client.sites.create(site)
    await using watched = await setup().open("about:blank", { own: true })
    const { page } = watched
    for (const [path, text] of [
      [`/sites/${siteId}`, "No cover image yet."],
      [`/sites/${siteId}/coverage`, "No documents are required of this site."],
      [`/sites/${siteId}/activity`, "Demo user created the site Long Meadow"],
      [`/portfolios/${id}`, "Add sites"],
      ["/documents/all", "There are no documents yet"],
      ["/documents/expiring", "Nothing expires in this time"],
      ["/company/webhooks", "There are no webhooks yet"],
      ["/company/requirements", "No documents are required yet"],
      ["/company/activity", "Demo user created the site Long Meadow"]
    ] as const) {
      expect((await page.goto(path))?.status(), path).toBe(200)
      await page.getByText(text).first().waitFor()
    }
  })
})
