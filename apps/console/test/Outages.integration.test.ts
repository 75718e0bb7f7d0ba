/**
 * A server that is stopped for a while, or answers late.
 */
import { describe, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { expectAccessible, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("outages of the console", () => {
  const setup = useSetup()

  it("show a message on a page that cannot be loaded, and open it when the server or newer code is there", async () => {
    await using watched = await setup().open("/sites", { own: true })
    const { page } = watched
    await page.getByText("There are no sites yet").waitFor()
    let isStopped = true
    await page.route(/\/(assets|console)\//, (route) =>
      isStopped ? route.abort("connectionrefused") : route.continue()
    )
    await page.getByRole("link", { name: "Coverage" }).click()
    await page.getByRole("heading", { name: "The server cannot be reached" }).waitFor()
    await expectAccessible(page)
    isStopped = false
    await page.getByText("No documents are required").waitFor()
    await page.unrouteAll()

    // A newer version has replaced the code of another page.
    await page.route(/\/assets\//, (route) => route.fulfill({ status: 404 }))
    await page.getByRole("link", { name: "Portfolios" }).click()
    await page.getByRole("heading", { name: "This page has failed" }).waitFor()
    await page.unroute(/\/assets\//)
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByText("There are no portfolios yet").waitFor()
  })
})
