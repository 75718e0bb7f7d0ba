/**
 * Dialogs that other tests use without a check of colours. Each is open in light and dark: it is accessible, and its
 * actions are in view.
 */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { uploadTo } from "./DocumentsSetup.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessibleInBothSchemes, useSetup } from "./Setup.ts"

type Opening = readonly [path: string, title: string, ...buttons: ReadonlyArray<string>]

/** Actions of a dialog that lie outside of the window. */
const hiddenActions = (page: Page) =>
  page.getByRole("dialog").evaluate((dialog) =>
    [...dialog.querySelectorAll("button")].flatMap((button) => {
      const { bottom, right } = button.getBoundingClientRect()
      return button.parentElement?.className.includes("actions") && (bottom > innerHeight || right > innerWidth)
        ? [button.textContent]
        : []
    })
  )

describe.skipIf(executablePath === "")("dialogs of the console", () => {
  const setup = useSetup()

  const expectDialogs = async (page: Page, openings: ReadonlyArray<Opening>) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const [path, title, ...buttons] of openings) {
      await visit(page, path)
      for (const name of buttons) {
        const target = page.getByRole("checkbox", { name }).or(page.getByRole("button", { name, exact: true }))
        await target.first().click()
      }
      await page.getByRole("dialog", { name: title }).waitFor()
      await expectAccessibleInBothSchemes(page)
      expect([title, await hiddenActions(page)]).toEqual([title, []])
      await page.keyboard.press("Escape")
    }
  }

  it("are accessible in both schemes: sites, portfolios and documents", async () => {
    const { client } = setup()
    const { id: portfolioId } = await client.portfolios.create({ name: "South" })
    const { id } = await client.sites.create({ siteName: "Long Meadow", capacity: 1, unit: "MW", portfolioId })
    await uploadTo(client, id, [{ filename: "lease.png", documentType: "land_lease" }])
    await using watched = await setup().open("/sites")
    await expectDialogs(watched.page, [
      ["/sites", "New site", "New site"],
      [`/sites/${id}`, "Delete Long Meadow?", "Delete"],
      ["/sites", "Move 1 site", "Select Long Meadow", "Move to …"],
      ["/sites", "Delete 1 site?", "Select Long Meadow", "Delete …"],
      ["/portfolios", "New portfolio", "New portfolio"],
      [`/portfolios/${portfolioId}`, "Edit South", "Edit"],
      [`/portfolios/${portfolioId}`, "Delete South?", "Delete"],
      [`/portfolios/${portfolioId}`, "Add sites to South", "Add sites"],
      ["/documents/all", "Upload files", "Upload files"],
      ["/documents", "Approve 1 document?", "Select lease.png", "Approve …"],
      ["/documents", "Reject 1 document?", "Select lease.png", "Reject …"]
    ])
  })

  it("are accessible in both schemes: the company and the account", async () => {
    await using watched = await setup().open("/account")
    await expectDialogs(watched.page, [
      ["/account", "Change e-mail", "Change e-mail …"],
      ["/account", "Change password", "Change password …"],
      ["/account", "Set up", "Set up …"],
      ["/company", "Rename", "Rename …"],
      ["/company/people", "Invite a user", "Invite"],
      ["/company/api-keys", "New API key", "New key"],
      ["/company/webhooks", "New webhook", "New webhook"]
    ])
  })
})
