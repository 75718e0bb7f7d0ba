/**
 * Users and keys that are limited to portfolios: how they are made, and what a limited user sees.
 */
import type { Page, Request } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { eventually, expectCount, expectTexts } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectFits, takePicture, useSetup } from "./Setup.ts"

const choosePortfolio = async (page: Page, name: string) => {
  await page.getByRole("radio", { name: "Chosen portfolios only" }).check()
  await page.getByRole("combobox", { name: "Portfolios" }).fill(name)
  await page.getByRole("option", { name }).click()
  await page.getByRole("combobox", { name: "Portfolios" }).press("Escape")
}

/** Answers of the server that refuse something, and a wait until nothing is read any more. */
const watchAnswers = (page: Page) => {
  const refused: Array<string> = []
  const open = new Set<Request>()
  page.on("request", (request) => open.add(request))
  page.on("requestfailed", (request) => open.delete(request))
  page.on("requestfinished", async (request) => {
    const response = await request.response()
    if ((response?.status() ?? 0) >= 400) refused.push(`${response?.status()} ${request.method()} ${request.url()}`)
    open.delete(request)
  })
  return { refused, settled: () => eventually(async () => expect(open.size).toBe(0)) }
}

describe.skipIf(executablePath === "")("access limited to portfolios", () => {
  const setup = useSetup()

  it("is given to users and keys by a choice of portfolios, and leaves nothing else to see", async () => {
    const { admin, client, member, request } = setup()
    const [north, south] = await client.portfolios.createMany([{ name: "North" }, { name: "South" }])
    const site = (siteName: string, portfolioId: string | undefined) =>
      client.sites.create({ siteName, capacity: 1, unit: "MW", portfolioId: portfolioId ?? null })
    const barn = await site("Barn", north?.id)
    await site("Mill", south?.id)
    await site("Loose", undefined)
    {
      await using watched = await setup().open("/company/people")
      const { page } = watched
      const row = (email: string) => page.getByRole("row", { name: email })
      for (const { email } of [admin, member]) {
        await row(email).getByRole("button").click()
        await page.getByRole("menuitem", { name: "Change access" }).click()
        await choosePortfolio(page, "North")
        if (email === admin.email) await expectFits(page)
        if (email === admin.email) await takePicture(page, "limited-user")
        await page.getByRole("button", { name: "Change the access" }).click()
        await row(email).getByText("Only North").waitFor()
      }
      await page.getByRole("button", { name: "Invite" }).click()
      await page.getByLabel("E-mail", { exact: true }).fill("insurer@example.com")
      await choosePortfolio(page, "South")
      await page.getByRole("button", { name: "Send the invitation" }).click()
      await page.getByLabel("I have copied the link").check()
      await page.getByRole("button", { name: "Done" }).click()
      await row("insurer@example.com").getByText("Only South").waitFor()

      await visit(page, "/company/api-keys")
      await page.getByRole("button", { name: "New key" }).click()
      await page.getByLabel("Name", { exact: true }).fill("Contractor")
      await choosePortfolio(page, "North")
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByText("Sees: Only North.").waitFor()
      await page.getByRole("button", { name: "Create the key" }).click()
      await page.getByLabel("I have stored the key").check()
      await page.getByRole("button", { name: "Done" }).click()
      await page
        .getByRole("row", { name: /Contractor/ })
        .getByText("Only North")
        .waitFor()
    }
    await using watched = await setup().open("/", { as: admin })
    const { page } = watched
    const { refused, settled } = watchAnswers(page)
    const sitePages = ["", "/documents", "/coverage", "/activity"].map((tab) => `/sites/${barn.id}${tab}`)
    const company = ["", "/people", "/api-keys", "/requirements", "/activity"].map((tab) => `/company${tab}`)
    const lists = [
      "/",
      "/sites",
      "/sites?view=map",
      "/portfolios",
      `/portfolios/${north?.id}`,
      "/documents",
      "/coverage"
    ]
    for (const path of [...lists, ...sitePages, ...company, "/account", "/sites/import"]) {
      await visit(page, path)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await settled()
      for (const name of ["South", "Mill", "Loose", "insurer@example.com"]) {
        await expectCount(page.getByRole("main").getByText(name), 0)
      }
    }
    await visit(page, "/company")
    await expectTexts(page.getByRole("navigation", { name: "Company profile" }).getByRole("link"), [
      "Overview",
      "People",
      "API keys",
      "Document requirements",
      "Activity"
    ])
    await visit(page, `/portfolios/${north?.id}`)
    await page.getByRole("table", { name: "Sites" }).getByText("Barn").waitFor()
    await expectCount(page.getByRole("main").getByRole("button", { name: /Add sites|Edit|^Delete/ }), 0)
    await visit(page, "/portfolios")
    await page.getByRole("link", { name: "North" }).waitFor()
    await expectCount(page.getByRole("button", { name: "New portfolio" }), 0)

    // The only portfolio is chosen.
    await visit(page, "/sites?new")
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Stable")
    await page.getByLabel("Capacity").fill("2")
    await page.getByRole("button", { name: "Create site" }).click()
    await page.getByText("Stable was created.").waitFor()
    await settled()
    expect(refused).toEqual([])
    expect((await client.sites.list({ portfolioId: north?.id ?? "" })).data).toHaveLength(2)
    // The server refuses what the console does not offer.
    expect(await request("POST", "/console/api/portfolios", { name: "East" }, admin)).toBe(403)
  })
})
