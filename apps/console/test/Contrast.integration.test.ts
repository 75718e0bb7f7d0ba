/**
 * Colours of rows, links and menu items under the pointer, where contrast is
 * lowest, in light and dark.
 */
import type { Locator } from "playwright-core"
import { describe, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { visit } from "./KeptPage.ts"
import { expectContrast, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("contrast in the console", () => {
  const setup = useSetup()

  const expectReadable = async (hovered: Locator) => {
    await hovered.hover()
    await expectContrast(hovered.page())
  }

  it("is sufficient on every page, also for hovered links and delete buttons", async () => {
    const { client } = setup()
    const portfolio = await client.portfolios.create({ name: "South" })
    const site = { siteName: "Long Meadow", capacity: 1, unit: "MW", portfolioId: portfolio.id } as const
    const { id } = await client.sites.create({ ...site, siteManager: { name: "Ada", email: "ada@example.com" } })
    await using watched = await setup().open("/sites")
    const { page } = watched
    await expectReadable(page.getByRole("link", { name: "Long Meadow" }))
    await page.getByRole("checkbox", { name: "Select Long Meadow" }).check()
    await expectReadable(page.getByRole("link", { name: "Long Meadow" }))
    await page.getByRole("button", { name: "Actions for Long Meadow" }).click()
    await expectReadable(page.getByRole("menuitem", { name: "Delete" }))
    await visit(page, "/portfolios")
    await expectReadable(page.getByRole("link", { name: "South" }))
    await page.getByRole("button", { name: "Actions for South" }).click()
    await expectReadable(page.getByRole("menuitem", { name: "Delete" }))
    await visit(page, `/sites/${id}`)
    await expectReadable(page.getByRole("link", { name: "ada@example.com" }))
    await expectReadable(page.getByRole("link", { name: "Company profile" }))
    await page.getByRole("link", { name: "South" }).waitFor()
  })
})
