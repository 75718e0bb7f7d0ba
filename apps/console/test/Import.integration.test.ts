/**
 * The import of sites from a file: columns, faults, lost connections, closed tabs, continuation.
 */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { chosen } from "./DocumentsSetup.ts"
import { clientOf, eventually, faultAt } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectFits, takePicture, useSetup } from "./Setup.ts"

const header = "Anlage;Leistung (kWp);Strasse;Mounting;Remarks\n"
const rows = [
  "Long Meadow;1.234,5;Long Meadow Farm, LS1 4AB;ground;near the weir\n",
  "Harbour Roof;480;Dock Road 12, Hull;roof;\n",
  "Old Mill;62,4;Mill Lane 3, Otley;roof;shaded until ten\n"
]
const small = header + rows.join("")

const choose = async (page: Page, content: string, name = "Sites 2026.csv") => {
  const files = await chosen([{ name, mimeType: "text/csv", buffer: Buffer.from(content) }])
  await page.locator('input[type="file"]').first().setInputFiles(files)
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const resultOf = (page: Page, name: string) =>
  page.getByRole("table", { name: "Latest imports" }).getByRole("row").filter({ hasText: name }).first()

describe.skipIf(executablePath === "")("the import of sites", () => {
  const setup = useSetup()

  it("maps columns, names faults, and stores once although the answer is lost", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    const client = clientOf(page)
    const before = (await client.sites.list()).data.length
    await page.getByRole("link", { name: "Import", exact: true }).click()
    await page.waitForURL("/sites/import")
    // The template is read as it is.
    const template = page.waitForEvent("download")
    await button(page, "Download a template").click()
    await choose(page, await readFile(await (await template).path(), "utf8"), "template.csv")
    await button(page, "Check the file").click()
    await page.getByText("1 site to create, 0 to change, 0 unchanged.").waitFor()
    await choose(page, `${small}No capacity;;;;\n`)
    await page.getByRole("table", { name: "Columns of the file" }).waitFor()
    const member = (name: string) => page.getByLabel(`Member for ${name}`)
    expect(await member("Anlage").inputValue()).toBe("siteName")
    expect(await member("Leistung (kWp)").inputValue()).toBe("capacity")

    await button(page, "Check the file").click()
    expect(await faultAt(member("Mounting"))).toBe("Choose a member, or leave the column out.")
    await member("Remarks").selectOption("Leave out")
    await member("Strasse").selectOption("Address")
    await button(page, "Keep the others as attributes").click()
    await page.getByLabel("Name of the attribute for Mounting").fill("Mounted on")
    await button(page, "Check the file").click()
    const alert = page.getByText("1 fault. Nothing was stored")
    await alert.waitFor()
    // The result is scrolled to.
    expect(await alert.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
    await expectFits(page)
    await page.getByRole("heading", { name: "Check", exact: true }).scrollIntoViewIfNeeded()
    await page.getByRole("table", { name: "Faults" }).scrollIntoViewIfNeeded()
    await takePicture(page, "import-faults")
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Download the report").click()])
    expect(await readFile(await download.path(), "utf8")).toBe(
      "row,column,code,detail\r\n5,Leistung (kWp),required,is required\r\n"
    )
    const faulty = page.waitForEvent("download")
    await button(page, "Download the file with its faults").click()
    const lines = (await readFile(await (await faulty).path(), "utf8")).split("\r\n")
    expect([lines[0]?.startsWith("\ufeffimportFaults"), lines[4]]).toEqual([
      true,
      expect.stringContaining("Leistung (kWp): is required")
    ])
    await button(page, "Correct the cells here").click()
    await page.getByLabel("Row 5, Leistung (kWp)").fill("many")
    await button(page, "Check again").click()
    await page
      .getByRole("table", { name: "Faults" })
      .getByText(/number/i)
      .first()
      .waitFor()
    await expectFits(page)
    await page.getByLabel("Row 5, Leistung (kWp)").fill("12,5")
    await page.keyboard.press("Enter")
    await page.getByText("4 sites to create, 0 to change, 0 unchanged.").waitFor()
    const mended = page.waitForEvent("download")
    await button(page, "Download the corrected file").click()
    expect((await mended).suggestedFilename()).toBe("Sites 2026 corrected.csv")
    expect(await readFile(await (await mended).path(), "utf8")).toContain('No capacity;"12,5";')

    await choose(page, small)
    await button(page, "Keep the others as attributes").click()
    await member("Strasse").selectOption("Address")
    await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded()
    await takePicture(page, "import-columns")
    await button(page, "Check the file").click()
    await page.getByText("3 sites to create, 0 to change, 0 unchanged.").waitFor()
    expect((await client.sites.list()).data).toHaveLength(before)

    await page.route(
      /\/console\/imports\/[^?]+\?/,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 }
    )
    await button(page, "Import 3 sites").click()
    await page.getByText("The import was not started").waitFor()
    await button(page, "Import 3 sites").click()
    await resultOf(page, "Sites 2026.csv").getByText("3 created, 0 changed, 0 unchanged").waitFor()
    const { data: sites } = await client.sites.list()
    expect(sites).toHaveLength(before + 3)
    expect(sites.find(({ siteName }) => siteName === "Long Meadow")).toMatchObject({
      capacity: 1234.5,
      address: "Long Meadow Farm, LS1 4AB",
      attributes: { Mounting: "ground", Remarks: "near the weir" }
    })
    await page.getByRole("link", { name: "Show the sites" }).first().click()
    await page.getByRole("table", { name: "Sites" }).getByText("Old Mill").waitFor()
  })

  it("goes on when the tab is closed, and continues an interrupted import with the same file only", async () => {
    const content = `Site name,Capacity (kWp)\n${Array.from({ length: 1_200 }, (_, row) => `Row ${row},1`).join("\n")}`
    {
      await using watched = await setup().open("/sites/import", { own: true })
      const { page } = watched
      await choose(page, content, "Large.csv")
      await button(page, "Check the file").click()
      const started = page.waitForResponse((response) => response.request().method() === "PUT")
      await button(page, "Import 1,200 sites").click()
      await started
    }
    await using watched = await setup().open("/sites/import")
    const { page } = watched
    await resultOf(page, "Large.csv").getByText("1,200 created").waitFor()
    expect((await clientOf(page).sites.list({ q: "Row" })).data).toHaveLength(1_200)

    await page.route("**/console/imports", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      const [{ fileName }] = data
      expect(fileName).toBe("Large.csv")
      const ended = { ...data[0], state: "stopped", problem: null, storedRow: 1_001 }
      await route.fulfill({ response, json: { data: [ended] } })
    })
    await visit(page)
    const row = resultOf(page, "Large.csv")
    await row.getByText("The server was stopped. Rows up to 1,001 are stored.").waitFor()
    await expectFits(page)
    const again = async (text: string) => {
      const chooser = page.waitForEvent("filechooser")
      await row.getByRole("button", { name: "Choose Large.csv again to continue its import" }).click()
      await (await chooser).setFiles({ name: "Large.csv", mimeType: "text/csv", buffer: Buffer.from(text) })
    }
    await again(`${content}\nAnother row,1`)
    await page.getByText("This is not the file that was imported as Large.csv").waitFor()
    await page.unrouteAll()
    await again(content)
    await row.getByText("1,200 created").waitFor()
    await eventually(async () => expect((await clientOf(page).sites.list({ q: "Row" })).data).toHaveLength(1_200))
  })

  it("explains files that cannot be read, and is for members", async () => {
    {
      await using watched = await setup().open("/sites/import")
      const { page } = watched
      await choose(page, "\uFEFFa\0")
      await page.getByRole("region", { name: "The file cannot be read" }).getByText("save it as UTF-8").waitFor()
      // Made in the page, which is faster than to read it from the disk.
      await page
        .locator('input[type="file"]')
        .first()
        .evaluate((input: HTMLInputElement) => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(16 * 1_048_576 + 1)], "Sites 2026.csv"))
          input.files = data.files
          input.dispatchEvent(new Event("change", { bubbles: true }))
        })
      await page.getByText("has more than 16 MiB").waitFor()
    }
    await using watched = await setup().open("/sites", { as: setup().viewer })
    const { page } = watched
    await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor()
    expect(await page.getByRole("link", { name: "Import", exact: true }).count()).toBe(0)
    await visit(page, "/sites/import")
    await page.getByText("Your role does not allow this.").waitFor()
  })
})
