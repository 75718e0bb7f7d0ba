import { expect, it } from "vitest"
import type { Step } from "../../src/model/Runner.ts"
import { memory } from "../../src/model/targets/InProcess.ts"
import { findingOn } from "./Finding.ts"

const who = { organisation: 0, key: 0 }

const steps: ReadonlyArray<Step> = [
  { call: "createSite", who, ids: [], body: { siteName: "South", capacity: 1, unit: "kW" } },
  {
    call: "issueUploadUrls",
    who,
    ids: [],
    body: {
      siteId: { "@id": "sites", of: "own", n: 0 },
      fileType: "documents",
      files: [{ filename: "a.txt", mimeType: "text/plain" }]
    }
  },
  { does: "put", organisation: 0, n: 0, how: "right" },
  { call: "changeDocumentStatus", who, ids: [{ "@id": "documents", of: "own", n: 0 }], body: { status: "uploaded" } },
  { call: "getDownloadUrl", who, ids: [{ "@id": "documents", of: "own", n: 0 }] }
]

/** What the model says when downloads are without so many of their last bytes. */
const finding = async (missing: number): Promise<string> => {
  const target = await memory()
  let downloads = 0
  const file: typeof target.file = async (url, init) => {
    if (init !== undefined) return target.file(url, init)
    downloads += 1
    const response = await target.file(url)
    const bytes = await response.arrayBuffer()
    const { headers, status } = response
    return new Response(bytes.slice(0, bytes.byteLength - missing), { status, headers })
  }
  return `${await findingOn({ ...target, file }, steps)} in ${downloads} downloads`
}

it("the model of files agrees with whole downloads, and notices shorter ones", async () => {
  expect(await finding(0)).toBe("nothing in 1 downloads")
  for (const missing of [1, 5]) expect(await finding(missing)).toMatch(/the file of .* was answered 200/)
})
