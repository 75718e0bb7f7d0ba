/**
 * The tabs of the company profile: overview, webhooks, document requirements, activity.
 */
import { readFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { clientOf, eventually, expectCount, expectFocus, expectTexts, faultAt } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectAccessibleInBothSchemes, expectFits, takePicture, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("the company profile", () => {
  const setup = useSetup()

  let receiver: Server
  let answer = 204
  beforeAll(async () => {
    receiver = createServer((_, response) => void response.writeHead(answer).end())
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  })
  afterAll(() => void receiver.close())
  // `as`: a listening TCP server has an address with a port.
  const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`

  it("shows the organisation, its use and limits, and is renamed by an owner", async () => {
    const { client } = setup()
    const site = await client.sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MWp" })
    const files = [{ filename: "insurance 2026.pdf", mimeType: "application/pdf", documentType: "insurance" } as const]
    const { results } = await client.documents.issueUploads({ siteId: site.id, fileType: "documents", files })
    for (const result of results) await client.uploads.send(result, new Blob(["five!"], { type: "application/pdf" }))
    await using watched = await setup().open("/company")
    const { page } = watched
    await page.getByText("5 bytes").waitFor()
    await page.getByText("Up to 100 MiB").waitFor()
    await page.getByText(setup().server.origin, { exact: true }).waitFor()
    await expectFits(page)

    await page.getByRole("button", { name: "Rename" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name", { exact: true }).fill("n".repeat(201))
    await dialog.getByRole("button", { name: "Rename", exact: true }).click()
    expect(await faultAt(dialog.getByLabel("Name", { exact: true }))).toContain("200")
    await dialog.getByLabel("Name", { exact: true }).fill("Sunfield Energy")
    await dialog.getByRole("button", { name: "Rename", exact: true }).click()
    await page.getByRole("button", { name: "Account at Sunfield Energy" }).waitFor()
    await visit(page)
    await page.getByText("5 bytes").waitFor()
    await takePicture(page, "company")
  })

  it("manages webhooks and shows their deliveries", async () => {
    await using watched = await setup().open("/company/webhooks")
    const { page } = watched
    const choose = async (item: string) => {
      await page.getByRole("button", { name: /^Actions for http/ }).click()
      await page.getByRole("menuitem", { name: item }).click()
    }
    await page.getByRole("button", { name: "New webhook" }).click()
    await page.getByLabel("Address").fill("ftp://example.com/")
    await page.getByRole("button", { name: "Create the webhook" }).click()
    expect(await faultAt(page.getByLabel("Address"))).toContain("Must begin with https://")
    await expectAccessible(page)
    await page.getByLabel("Address").fill(receiverUrl())
    await page.getByLabel("Description").fill("Asset register")
    await page.getByRole("combobox", { name: "Events" }).fill("document.*")
    await page.getByRole("option", { name: "document.*" }).click()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Create the webhook" }).click()
    const secret = page.getByLabel("Secret", { exact: true })
    expect(await secret.textContent()).toMatch(/^whsec_/)
    const first = await secret.textContent()
    await expectAccessible(page)
    const close = async () => {
      await page.getByLabel("I have stored the secret").check()
      await page.getByRole("button", { name: "Done" }).click()
    }
    await close()
    await choose("Send a test")
    await page.getByText("The test was delivered.").waitFor()
    answer = 500
    await choose("Send a test")
    await page.getByText("The test was not delivered").waitFor()
    await page.getByRole("cell", { name: /^Failed Status 500/ }).waitFor()
    await visit(page)
    await page.getByRole("row", { name: "Asset register" }).waitFor()
    await expectFits(page)
    await takePicture(page, "webhooks")

    await choose("Deliveries")
    const drawer = page.getByRole("dialog", { name: "Deliveries to" })
    await drawer.getByText("Failed").waitFor()
    await expectAccessible(page)
    answer = 204
    await drawer.getByRole("button", { name: "Send again: webhook.test" }).first().click()
    await drawer.getByText("Failed").waitFor({ state: "detached" })
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })

    await choose("Edit")
    // The dialog moves the focus to its first field soon after it is shown.
    await expectFocus(page.getByLabel("Address"))
    await page.getByLabel("Description").fill("Renamed")
    await page.getByRole("button", { name: "Save" }).click()
    // Every event was chosen before, which includes those of documents.
    await page.getByRole("row", { name: "Renamed document.* Enabled" }).waitFor()
    await choose("Disable")
    await page.getByRole("cell", { name: "Disabled", exact: true }).waitFor()
    await choose("New secret")
    await page.getByRole("button", { name: "Make a new secret" }).click()
    expect(await secret.textContent()).not.toBe(first)
    await close()
    await choose("Delete")
    await page.getByRole("button", { name: "Delete the webhook" }).click()
    await page.getByText("There are no webhooks yet").waitFor()
  })

  it("edits the document requirements as a list, over the version that was read", async () => {
    await using watched = await setup().open("/company/requirements")
    const { page } = watched
    const client = clientOf(page)
    const choose = async (row: number, label: string, option: string) => {
      await page.getByRole("combobox", { name: `${label} of requirement ${row}` }).click()
      await page.getByRole("option", { name: option, exact: true }).click()
    }
    const save = page.getByRole("button", { name: "Save", exact: true })
    await page.getByText("No documents are required yet").waitFor()
    await page.getByRole("button", { name: "Add a requirement" }).click()
    await choose(1, "Document type", "Insurance")
    await page.getByRole("button", { name: "Add a requirement" }).click()
    await choose(2, "Document type", "Insurance")
    await page.getByText("Same document type and sites as requirement 1").waitFor()
    await eventually(async () => expect(await save.isDisabled()).toBe(true))
    await expectAccessible(page)
    await choose(2, "Document type", "Warranty information")
    await page.getByLabel("Days before the end of requirement 2").fill("400")
    await page.getByText("Enter a whole number of days from 1 to 365").waitFor()
    await page.getByLabel("Days before the end of requirement 2").fill("60")
    await page.getByLabel("End date required of requirement 2").check()
    await save.click()
    await page.getByText("The requirements were saved.").waitFor()
    expect(await client.requirements.get()).toMatchObject({
      version: 1,
      requirements: [
        { documentType: "insurance", validityRequired: false, portfolioId: null, expiringWithinDays: 30 },
        { documentType: "warranty_information", validityRequired: true, portfolioId: null, expiringWithinDays: 60 }
      ]
    })
    // Without the notification.
    await visit(page)
    await page.getByRole("button", { name: "Remove requirement 2" }).waitFor()
    await expectFits(page)
    await takePicture(page, "requirements")

    await client.requirements.replace({ requirements: [{ documentType: "land_lease" }] })
    await page.getByRole("button", { name: "Remove requirement 1" }).click()
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor()
    await page.keyboard.press("Escape")
    await save.click()
    const conflict = page.getByRole("alert").filter({ hasText: "changed meanwhile" })
    await conflict.getByText("Land lease").waitFor()
    await expectAccessibleInBothSchemes(page)
    expect((await client.requirements.get()).version).toBe(2)
    await conflict.getByRole("button", { name: "Save my list" }).click()
    await conflict.waitFor({ state: "detached" })
    const merged = { version: 3, requirements: [{ documentType: "warranty_information" }] }
    await eventually(async () => expect(await client.requirements.get()).toMatchObject(merged))
  })

  it("lists the activity with names, filters, changes and an export", async () => {
    const { client } = setup()
    const portfolio = await client.portfolios.create({ name: "Portfolio X" })
    const site = await client.sites.create({ siteName: "Berlin Süd", capacity: 50, unit: "kWp" })
    await client.sites.update(site.id, { portfolioId: portfolio.id })
    await client.sites.update(site.id, { capacity: 60 })
    await using watched = await setup().open("/company/activity")
    const { page } = watched
    await page.getByText("Demo user put Berlin Süd into Portfolio X").waitFor()
    await expectFits(page)
    await takePicture(page, "activity")
    const changed = page.getByRole("listitem").filter({ hasText: "changed capacity of Berlin Süd" })
    await changed.getByRole("button", { name: "Details of site.updated Berlin Süd" }).click()
    await changed.getByRole("row", { name: "Capacity 50 60" }).waitFor()
    await expectAccessible(page)

    await page.getByRole("combobox", { name: "About" }).click()
    await page.getByRole("option", { name: "Portfolios" }).click()
    await page.waitForURL("**/activity?about=portfolios")
    await page.getByText("changed capacity of Berlin Süd").waitFor({ state: "detached" })
    await expectCount(page.getByRole("listitem"), 1)
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click()
    ])
    const [header, ...lines] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
    expect(header).toContain("occurredAt")
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("portfolio.created")
    await page.getByLabel("To", { exact: true }).fill("2020-01-01")
    // The browser may show the day before the month, or behind it.
    await page.getByText("= 1 Jan 2020").waitFor()
    await page.getByText("Nothing here fits the filters").waitFor()
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page.getByRole("link", { name: "Berlin Süd" }).first().click()
    await page.getByRole("heading", { name: "Berlin Süd", level: 1 }).waitFor()
  })

  it("shows viewers what they may see", async () => {
    const { client, open, viewer } = await setup().another()
    await client.webhooks.create({ url: receiverUrl(), events: ["*"] })
    await client.requirements.replace({ requirements: [{ documentType: "warranty_information" }] })
    const { id } = await client.portfolios.create({ name: "Portfolio X" })
    const site = await client.sites.create({ siteName: "Berlin Süd", capacity: 50, unit: "kWp" })
    await client.sites.update(site.id, { portfolioId: id })
    await using watched = await open("/company", { as: viewer })
    const { page } = watched
    const tabs = page.getByRole("navigation", { name: "Tabs of the company profile" }).getByRole("link")
    await expectTexts(tabs, ["Overview", "People", "Webhooks", "Document requirements", "Activity"])
    await expectCount(page.getByRole("button", { name: "Rename" }), 0)
    await tabs.filter({ hasText: "People" }).click()
    await page
      .getByRole("row", { name: `Vera Rubin You ${viewer.email} Viewer Off` })
      .getByRole("time")
      .waitFor()
    await page.getByRole("link", { name: "Document requirements" }).click()
    await page.getByRole("cell", { name: "Warranty information" }).waitFor()
    await expectCount(page.getByRole("main").getByRole("button"), 0)
    await page.getByRole("link", { name: "Webhooks" }).click()
    await page.getByRole("button", { name: "Actions for" }).click()
    await page.getByRole("menuitem", { name: "Deliveries" }).waitFor()
    await expectCount(page.getByRole("menuitem"), 1)
    await page.keyboard.press("Escape")
    await page.getByRole("link", { name: "Activity" }).click()
    await page.getByText("Demo user put Berlin Süd into Portfolio X").waitFor()
    await visit(page, "/account")
    await page.getByText("Vera Rubin logged in").waitFor()
  })
})
