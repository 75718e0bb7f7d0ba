/**
 * The bell of the header and the notice of the overview: what has expired or begun to expire since the last visit.
 */
import { describe, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { awayFromMidnight, clientOf, dayIn, eventually, expectCount } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectFits, takePicture, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("the news about the end of validity", () => {
  const setup = useSetup()

  it("stand in the bell and in the overview until their link is followed", async () => {
    await awayFromMidnight()
    await using watched = await setup().open("/")
    const { page } = watched
    await page.getByRole("button", { name: "Expiry of documents: no news" }).click()
    await page.getByText("Nothing has expired or begun to expire.").waitFor()
    await page.keyboard.press("Escape")

    const client = clientOf(page)
    const site = await client.sites.create({ siteName: "Long Meadow", capacity: 1, unit: "MWp" })
    await client.requirements.replace({ requirements: [{ documentType: "insurance" }, { documentType: "epc" }] })
    const content = new Blob(["%PDF-1.4"], { type: "application/pdf" })
    const file = { mimeType: content.type, fileSize: content.size }
    const files = [
      { ...file, filename: "insurance.pdf", documentType: "insurance" as const, validUntil: dayIn(-1) },
      { ...file, filename: "epc.pdf", documentType: "epc" as const, validUntil: dayIn(10) }
    ]
    const { results } = await client.documents.issueUploads({ siteId: site.id, fileType: "documents", files })
    for (const result of results) await client.uploads.send(result, content)
    // The server announces within a minute.
    await eventually(async () => {
      const { data } = await client.events.list({ type: ["document.expired", "document.expiring"] })
      if (data.length < 2) throw new Error("not announced yet")
    })

    await visit(page, "/")
    const notice = page.getByRole("region", { name: "Since your last visit" })
    await notice.getByRole("link", { name: "1 document expires soon" }).waitFor()
    await expectAccessible(page)
    await expectFits(page)
    await takePicture(page, "validity")
    await notice.getByRole("link", { name: "1 document has expired" }).click()
    await page.waitForURL("/coverage?state=expired")
    await page.getByText("Long Meadow").first().waitFor()

    await page.getByRole("button", { name: "Expiry of documents: there is news" }).click()
    await page.getByRole("menuitem", { name: "1 document expires soon" }).waitFor()
    await expectCount(page.getByRole("menuitem", { name: "has expired" }), 0)
    await page.getByRole("menuitem", { name: "1 document expires soon" }).click()
    await page.waitForURL("/coverage?state=expiring")

    await visit(page, "/")
    await page.getByRole("button", { name: "Expiry of documents: no news" }).waitFor()
    await expectCount(notice, 0)
  })
})
