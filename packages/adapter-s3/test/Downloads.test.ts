import { DocumentStorage } from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { aKey, aMinute, offline, ownerOf, runWith } from "./Setup.ts"

const run = runWith(offline())

const answerHeaders = async (filename: string | null, mimeType: string | null = "application/pdf") => {
  const key = aKey()
  const url = await run(
    DocumentStorage.use((storage) => storage.signDownload(ownerOf(key), { key, mimeType, filename }, aMinute()))
  )
  const { searchParams } = new URL(url)
  return {
    disposition: searchParams.get("response-content-disposition"),
    type: searchParams.get("response-content-type")
  }
}

describe("a download", () => {
  it.each([
    ["report.pdf", "attachment; filename=\"report.pdf\"; filename*=UTF-8''report.pdf"],
    ["layout (v2).pdf", "attachment; filename=\"layout (v2).pdf\"; filename*=UTF-8''layout%20%28v2%29.pdf"],
    ["Übersicht.pdf", "attachment; filename=\"_bersicht.pdf\"; filename*=UTF-8''%C3%9Cbersicht.pdf"],
    ["太陽光.pdf", "attachment; filename=\"___.pdf\"; filename*=UTF-8''%E5%A4%AA%E9%99%BD%E5%85%89.pdf"],
    ["sun☀️.png", "attachment; filename=\"sun__.png\"; filename*=UTF-8''sun%E2%98%80%EF%B8%8F.png"],
    ['a"b\\c.pdf', "attachment; filename=\"a_b_c.pdf\"; filename*=UTF-8''a%22b%5Cc.pdf"],
    ["100%41.pdf", "attachment; filename=\"100_41.pdf\"; filename*=UTF-8''100%2541.pdf"],
    ["a\r\nSet-Cookie: b", "attachment; filename=\"a__Set-Cookie: b\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b"],
    ["it's*.pdf", "attachment; filename=\"it's*.pdf\"; filename*=UTF-8''it%27s%2A.pdf"],
    ["broken\ud800.pdf", "attachment; filename=\"broken_.pdf\"; filename*=UTF-8''broken%EF%BF%BD.pdf"]
  ])("of %j comes as an attachment under that name", async (filename, disposition) => {
    await expect(answerHeaders(filename)).resolves.toEqual({ disposition, type: "application/pdf" })
  })

  it("without a name is shown inline", async () => {
    await expect(answerHeaders(null, "image/png")).resolves.toEqual({ disposition: "inline", type: "image/png" })
  })

  it("without a media type keeps the one it was stored with", async () => {
    await expect(answerHeaders(null, null)).resolves.toEqual({ disposition: "inline", type: null })
  })

  it("of another organisation's key dies", async () => {
    const download = { key: aKey(), mimeType: null, filename: null }
    const exit = await run(
      Effect.exit(DocumentStorage.use((storage) => storage.signDownload(anOrganisationId(), download, aMinute())))
    )
    expect(Exit.hasDies(exit)).toBe(true)
  })
})
