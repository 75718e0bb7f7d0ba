/** The choice of the digest, in the browser. */
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { eventually } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectNoSidewaysScrolling, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("the digest", () => {
  const setup = useSetup()

  it("is chosen in My account where the server sends mail", async () => {
    await using watched = await setup().open("about:blank", { own: true, width: 360, height: 740 })
    const { page } = watched
    await page.route("**/console/configuration", async (route) => {
      const response = await route.fetch()
      const digest = { hour: 6, timeZone: "Europe/Berlin" }
      return route.fulfill({ response, json: { ...(await response.json()), digest } })
    })
    await page.goto("/account")
    await page.getByText("At 06:00 (Europe/Berlin)").waitFor()
    const choice = page.getByRole("combobox", { name: "How often" })
    await eventually(async () => expect(await choice.inputValue()).toBe("Every Monday"))
    await choice.click()
    await page.getByRole("option", { name: "Never" }).click()
    await page.getByText("Your choice was saved.").waitFor()
    await visit(page)
    await eventually(async () => expect(await choice.inputValue()).toBe("Never"))
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
  })
})
