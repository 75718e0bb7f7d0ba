/**
 * Previews of documents in a browser, and that no script of a document ever runs.
 */
import { crc32, deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { rowOf } from "./DocumentsSetup.ts"
import { eventually, expectCount } from "./Fixtures.ts"
import { expectAccessible, takePicture, useSetup } from "./Setup.ts"

const chunk = (type: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}

const [width, height] = [640, 420]

/** A PNG of dark panels on a light ground. */
const panels = (): Buffer<ArrayBuffer> => {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => (x % 80 < 8 || y % 70 < 8 ? 226 : 40 + ((x + y) % 80)))
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits of grey.
  header[8] = 8
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0))
  ])
}

/** A PDF of one page with one line of text. */
const pdfOf = (text: string) => {
  const content = `BT /F1 24 Tf 60 700 Td (${text}) Tj ET`
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  ]
  const offsets: Array<number> = []
  let file = "%PDF-1.4\n"
  objects.forEach((object, index) => {
    offsets.push(file.length)
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}${table}${trailer}`)
}

const script = '<!doctype html><script>parent.document.title = "a script has run"</script>'

describe.skipIf(executablePath === "")("previews of documents in the console", () => {
  const setup = useSetup()

  it("show an image and a PDF beside the page, and no page that calls itself either", async () => {
    const files = {
      "panels.png": new Blob([panels()], { type: "image/png" }),
      "policy.pdf": new Blob([pdfOf("Insurance policy")], { type: "application/pdf" }),
      "page.pdf": new Blob([script], { type: "application/pdf" }),
      "page.png": new Blob([script], { type: "image/png" }),
      "notes.txt": new Blob([script], { type: "text/plain" })
    }
    const { documents, sites, uploads } = setup().client
    const { id: siteId } = await sites.create({ siteName: "Shown Field", capacity: 1, unit: "MW" })
    const named = Object.entries(files).map(([filename, { type }]) => ({ filename, mimeType: type }))
    const { results } = await documents.issueUploads({ siteId, fileType: "documents", files: named })
    for (const [index, file] of Object.values(files).entries()) {
      const result = results[index]
      if (result !== undefined) await uploads.send(result, file)
    }
    await using watched = await setup().open(`/sites/${siteId}/documents`)
    const { page } = watched
    // The browser of the tests has no viewer of its own: it would download the file.
    await page.evaluate(() => {
      Object.defineProperty(navigator, "pdfViewerEnabled", { value: true, configurable: true })
    })
    const drawer = page.getByRole("dialog")
    const open = async (filename: string) => {
      await rowOf(page, filename).getByRole("button", { name: filename, exact: true }).click()
      await drawer.getByRole("heading", { name: "Revisions" }).waitFor()
    }
    const close = async () => {
      await drawer.getByRole("button", { name: "Close" }).click()
      await drawer.waitFor({ state: "detached" })
    }

    await open("panels.png")
    const image = drawer.getByRole("img", { name: "Preview of panels.png" })
    await eventually(async () =>
      expect(await image.evaluate((shown) => shown instanceof HTMLImageElement && shown.naturalWidth)).toBe(width)
    )
    await expectAccessible(page)
    await takePicture(page, "document")
    await close()
    await open("policy.pdf")
    const frame = drawer.locator("iframe")
    await eventually(async () => expect(await frame.getAttribute("src")).toMatch(/^blob:/))
    await close()
    await open("page.pdf")
    await drawer.getByText("The file is not the PDF that its type says. It is not shown here.").waitFor()
    await close()
    await open("page.png")
    await drawer.getByText("The file is not the image that its type says, or it is damaged.").waitFor()
    await close()
    await open("notes.txt")
    await drawer.getByText("Files of this type are not shown here.").waitFor()
    await expectCount(page.locator("iframe"), 0)
    expect(await page.title()).toBe("Shown Field · Solar Sites")
    await page.evaluate(() => Reflect.deleteProperty(navigator, "pdfViewerEnabled"))
  })
})
