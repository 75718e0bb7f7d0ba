/**
 * The bell of the header and the notice of the overview: what has expired or begun to expire since the last visit.
 */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { eventually, expectCount } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectFits, takePicture, useSetup } from "./Setup.ts"

const subject = { type: "document", id: "01a21fc5-5fee-7347-96c7-8d18b2f6be48", name: "insurance.pdf" }

/** Answers with an announcement of each kind, which the server makes within a minute. Returns what is asked for. */
const announceOne = async (page: Page) => {
  const asked: Array<string> = []
  await page.route(/\/console\/api\/events\?.*document\.expir/, (route) => {
    const { searchParams } = new URL(route.request().url())
    const [type, cursor] = [searchParams.get("type"), searchParams.get("cursor")]
    asked.push(`${type} after ${cursor}`)
    const data = cursor === type ? [] : [{ type, subject }]
    return route.fulfill({ json: { data, nextCursor: type } })
  })
  return asked
}

describe.skipIf(executablePath === "")("the news about the end of validity", () => {
  const setup = useSetup()

  it("stand in the bell and in the overview until their link is followed", async () => {
    await using watched = await setup().open("/")
    const { page } = watched
    await page.getByRole("button", { name: "Expiry of documents: no news" }).click()
    await page.getByText("Nothing has expired or begun to expire.").waitFor()
    await page.keyboard.press("Escape")

    const asked = await announceOne(page)
    await visit(page, "/")
    const notice = page.getByRole("region", { name: "Since your last visit" })
    await notice.getByRole("link", { name: "1 document expires soon" }).waitFor()
    await expectFits(page)
    await takePicture(page, "validity")
    await notice.getByRole("link", { name: "1 document has expired" }).click()
    await page.waitForURL("/coverage?state=expired")

    await page.getByRole("button", { name: "Expiry of documents: there is news" }).click()
    await page.getByRole("menuitem", { name: "1 document expires soon" }).waitFor()
    await expectCount(page.getByRole("menuitem", { name: "has expired" }), 0)
    await page.getByRole("menuitem", { name: "1 document expires soon" }).click()
    await page.waitForURL("/coverage?state=expiring")

    asked.length = 0
    await visit(page, "/")
    // The feed is read behind the last event. Until its answer comes, the bell has no news either.
    const behindTheLast = ["document.expired after document.expired", "document.expiring after document.expiring"]
    await eventually(() => expect(asked.toSorted()).toEqual(behindTheLast))
    await expectCount(notice, 0)
    await page.getByRole("button", { name: "Expiry of documents: no news" }).waitFor()
  })
})
