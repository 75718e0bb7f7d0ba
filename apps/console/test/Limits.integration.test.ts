/**
 * The console of a user who is limited to portfolios.
 */
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { eventually, expectCount, expectTexts } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { useSetup } from "./Setup.ts"

/** What the server refuses to limited users. */
const refused = /^\/console\/(api\/webhooks|organisation(\/use)?$)/

describe.skipIf(executablePath === "")("the console of a limited user", () => {
  const setup = useSetup()

  it("asks for nothing that is refused, and offers no way to it", async () => {
    const { admin, client, open } = setup()
    const { id: portfolioId } = await client.portfolios.create({ name: "North" })
    const { id } = await client.sites.create({ siteName: "Barn", capacity: 1, unit: "MW", portfolioId })
    await using watched = await open("/login", { as: admin, own: true })
    const { page } = watched
    await page.route("**/console/session", async (route) => {
      const response = await route.fetch()
      const session = await response.json()
      await route.fulfill({ response, json: { ...session, user: { ...session.user, portfolioIds: [portfolioId] } } })
    })
    const asked: Array<string> = []
    const waiting = new Set<unknown>()
    page.on("request", (request) => {
      waiting.add(request)
      asked.push(new URL(request.url()).pathname)
    })
    page.on("requestfinished", (request) => waiting.delete(request))
    page.on("requestfailed", (request) => waiting.delete(request))
    await page.goto("/company")
    await expectTexts(page.getByRole("navigation", { name: "Company profile" }).getByRole("link"), [
      "Overview",
      "People",
      "API keys",
      "Document requirements",
      "Activity"
    ])
    const paths = [
      "/",
      "/sites",
      `/sites/${id}`,
      "/portfolios",
      `/portfolios/${portfolioId}`,
      "/account",
      "/sites/import"
    ]
    const tabs = ["", "/people", "/api-keys", "/requirements", "/activity"].map((tab) => `/company${tab}`)
    for (const path of [...paths, ...tabs]) {
      await visit(page, path)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await eventually(async () => expect(waiting.size).toBe(0))
    }
    expect(asked.filter((path) => refused.test(path))).toEqual([])
    await visit(page, `/portfolios/${portfolioId}`)
    await page.getByRole("table", { name: "Sites" }).getByText("Barn").waitFor()
    await expectCount(page.getByRole("main").getByRole("button", { name: /^(Add sites|Edit|Delete)/ }), 0)
    await visit(page, "/portfolios")
    await page.getByRole("link", { name: "North" }).first().waitFor()
    await expectCount(page.getByRole("button", { name: "New portfolio" }), 0)
    // The only portfolio is chosen.
    await visit(page, "/sites?new")
    await eventually(async () =>
      expect(await page.getByRole("dialog").getByLabel("Portfolio").first().inputValue()).toBe("North")
    )
  })
})
