import {
  type Document,
  type IssuedUpload,
  SolarSitesNetworkError,
  SolarSitesProblem
} from "@solar-sites/http-node/client"
import { describe, expect, it, vi } from "vitest"
import type { UploadTerms } from "../../src/documents/Upload.ts"
import { type UploadCalls, UploadQueue } from "../../src/documents/UploadQueue.ts"

// For busy machines.
const patience = { timeout: 60_000 }

const terms: UploadTerms = { siteId: "site", fileType: "documents", documentType: null }
const lost = () => new SolarSitesNetworkError({ what: "Sending", attempts: 1 })
const file = (name: string) => new File([name], name, { type: "text/plain" })

const documentIn = (status: Document["status"], failureReason: string | null = null): Document => ({
  id: "a",
  organisationId: "organisation",
  siteId: "site",
  type: "documents",
  documentType: null,
  filename: "a",
  path: "organisation/site/a",
  status,
  mimeType: "text/plain",
  sizeBytes: 1,
  uploadedBy: null,
  omRecordId: null,
  failureReason,
  createdAt: "2026-11-20T00:00:00.000Z",
  updatedAt: "2026-11-20T00:00:00.000Z",
  version: 1,
  note: null,
  validFrom: null,
  validUntil: null,
  replaces: null,
  replacedBy: null
})

const notPending = () =>
  new SolarSitesProblem(
    { type: "", title: "", status: 409, detail: "", code: "invalid_transition", requestId: "request-1" },
    { what: "PUT", attempts: 1 },
    null
  )

const issuedAs = (documentId: string): IssuedUpload => ({
  filename: documentId,
  success: true,
  documentId,
  uploadUrl: { path: "", token: "", url: "https://files.example.com/a", method: "PUT", headers: {}, expiresAt: "" }
})

/** A queue on a client that accepts every type but HTML, and the calls in order. */
const makeQueue = (
  send: UploadCalls["uploads"]["send"] = async () => {},
  documents: Partial<UploadCalls["documents"]> = {}
) => {
  const calls: Array<string> = []
  const changed = vi.fn()
  const client: UploadCalls = {
    uploads: { send },
    documents: {
      issueUploads: async ({ files }) => {
        calls.push(`issue ${files.length}`)
        const error = { code: "mime_type_not_allowed", detail: "no" } as const
        const results = files.map(({ filename }, index) =>
          filename.endsWith(".html") ? { index, filename, success: false as const, error } : issuedAs(filename)
        )
        return { results, summary: { total: files.length, successful: 0, failed: 0 } }
      },
      reissueUpload: async (id) => {
        calls.push(`issue ${id} again`)
        return issuedAs(id)
      },
      changeStatus: async (id, { status }) => {
        calls.push(`${id} ${status}`)
        return documentIn("uploaded")
      },
      delete: async (id) => {
        calls.push(`delete ${id}`)
      },
      get: async () => documentIn("uploaded"),
      ...documents
    }
  }
  const queue = new UploadQueue(client, changed)
  const states = () => queue.uploads().map(({ file, state }) => `${file.name} ${state}`)
  return {
    queue,
    calls,
    changed,
    states,
    settled: (wanted: ReadonlyArray<string>) => vi.waitFor(() => expect(states()).toEqual(wanted), patience)
  }
}

describe("the queue of uploads", () => {
  it("requests twenty addresses at a time, sends three files at once, and confirms each", async () => {
    let atOnce = 0
    let most = 0
    const { calls, queue, states } = makeQueue(async () => {
      most = Math.max(most, ++atOnce)
      await Promise.resolve()
      atOnce -= 1
    })
    queue.add(
      Array.from({ length: 21 }, (_, index) => file(`${index}`)),
      terms
    )
    await vi.waitFor(() => expect(states().filter((state) => state.endsWith(" uploaded"))).toHaveLength(21), patience)
    expect(calls.filter((call) => call.startsWith("issue"))).toEqual(["issue 20", "issue 1"])
    expect(calls).toContain("20 uploaded")
    expect(most).toBe(3)
  })

  it("uploads the other files after a refused one", async () => {
    const { queue, settled } = makeQueue()
    queue.add([file("a.html"), file("b.txt")], terms)
    await settled(["a.html refused", "b.txt uploaded"])
    expect(queue.uploads()[0]?.fault).toEqual({ code: "mime_type_not_allowed", detail: "no" })
    queue.dismissUploaded("site")
    await settled(["a.html refused"])
  })

  it("sends an interrupted file again to a new address of the same document", async () => {
    const send = vi.fn<UploadCalls["uploads"]["send"]>().mockRejectedValueOnce(lost()).mockResolvedValue()
    const { calls, changed, queue, settled } = makeQueue(send)
    queue.add([file("a")], terms)
    await settled(["a interrupted"])
    expect(changed).toHaveBeenLastCalledWith("site")
    await queue.retry(queue.uploads()[0]?.id ?? 0)
    await settled(["a uploaded"])
    expect(calls).toEqual(["issue 1", "issue a again", "a uploaded"])
  })

  it("stops a removed upload, deletes its document, and continues with the next", async () => {
    let broken = false
    const { calls, queue, settled } = makeQueue((issued, _file, { signal } = {}) =>
      !(issued.success && issued.documentId === "a")
        ? Promise.resolve()
        : new Promise((_, reject) => {
            signal?.addEventListener("abort", () => {
              broken = true
              reject(signal.reason)
            })
          })
    )
    queue.add([file("a")], terms)
    queue.add([file("b")], terms)
    await settled(["a sending", "b waiting"])
    queue.dismiss(queue.uploads()[0]?.id ?? 0)
    await settled(["b uploaded"])
    expect(broken).toBe(true)
    expect(calls).toContain("delete a")
    queue.clear()
    await settled([])
  })

  it("deletes the document of an upload that was stopped before its address arrived", async () => {
    const { calls, queue, settled } = makeQueue()
    queue.add([file("a"), file("b")], terms)
    await Promise.resolve()
    queue.dismiss(queue.uploads()[0]?.id ?? 0)
    await settled(["b uploaded"])
    expect(calls).toEqual(["issue 2", "delete a", "b uploaded"])
  })

  it("keeps the document of a repeated upload that is stopped", async () => {
    const { calls, queue, settled } = makeQueue(() => new Promise(() => {}))
    void queue.resend(documentIn("failed"), file("a"))
    await settled(["a sending"])
    queue.dismiss(queue.uploads()[0]?.id ?? 0)
    expect(calls).toEqual(["issue a again"])
  })

  it("shows the state of a document that failed or was approved meanwhile", async () => {
    const failed = async () => documentIn("failed", "nothing arrived")
    const refusing = { changeStatus: () => Promise.reject(notPending()), get: failed }
    const { queue, settled } = makeQueue(undefined, refusing)
    queue.add([file("a")], terms)
    await settled(["a failed"])
    expect(queue.uploads()[0]?.fault).toEqual({ code: "document_failed", detail: "nothing arrived" })
    refusing.get = async () => documentIn("approved")
    const other = makeQueue(undefined, refusing)
    other.queue.add([file("a")], terms)
    await other.settled(["a uploaded"])
  })

  it("names the origin that did not respond", async () => {
    const { queue, settled } = makeQueue(() => Promise.reject(lost()))
    queue.add([file("a")], terms)
    await settled(["a interrupted"])
    expect(queue.uploads()[0]?.fault).toEqual({
      code: "network_failed",
      detail: "",
      origin: "https://files.example.com"
    })
  })

  it("reports a failed request for addresses, and retries from the beginning", async () => {
    const { client, ...made } = failingOnce()
    const queue = new UploadQueue(client, () => {})
    queue.add([file("a")], terms)
    await vi.waitFor(() => expect(queue.uploads()[0]?.state).toBe("interrupted"), patience)
    await queue.retry(queue.uploads()[0]?.id ?? 0)
    expect(queue.uploads()[0]?.state).toBe("uploaded")
    expect(made.issue).toHaveBeenCalledTimes(2)
  })
})

const failingOnce = () => {
  const issue = vi
    .fn<UploadCalls["documents"]["issueUploads"]>()
    .mockRejectedValueOnce(lost())
    .mockResolvedValue({ results: [issuedAs("a")], summary: { total: 1, successful: 1, failed: 0 } })
  const client: UploadCalls = {
    uploads: { send: async () => {} },
    documents: {
      issueUploads: issue,
      reissueUpload: async (id) => issuedAs(id),
      changeStatus: async () => documentIn("uploaded"),
      delete: async () => {},
      get: async () => documentIn("uploaded")
    }
  }
  return { client, issue }
}
