import { describe, expect, it, vi } from "vitest"
import { type UploadCalls, UploadQueue } from "../../src/uploads/UploadQueue.ts"
import {
  documentIn,
  failingOnce,
  file,
  issuedAs,
  lost,
  makeQueue,
  notPending,
  patience,
  summary,
  terms,
  withTerms
} from "./UploadQueueSetup.ts"

describe("the queue of uploads", () => {
  it("requests twenty addresses at a time, sends three files at once, and confirms each", async () => {
    let atOnce = 0
    let most = 0
    const { calls, queue, states } = makeQueue(async () => {
      most = Math.max(most, ++atOnce)
      await Promise.resolve()
      atOnce -= 1
    })
    queue.add(withTerms(Array.from({ length: 21 }, (_, index) => file(`${index}`))))
    await vi.waitFor(() => expect(states().filter((state) => state.endsWith(" uploaded"))).toHaveLength(21), patience)
    expect(calls.filter((call) => call.startsWith("issue"))).toEqual(["issue 20", "issue 1"])
    expect(calls).toContain("20 uploaded")
    expect(most).toBe(3)
  })

  it("gets a new address for a file that has waited longer than its address is valid", async () => {
    let millis = 0
    const { calls, queue, settled } = makeQueue(
      async () => {
        await Promise.resolve()
        millis = 60_000
      },
      {},
      () => millis
    )
    queue.add(withTerms(["a", "b", "c", "d", "e"].map(file)))
    await settled(["a uploaded", "b uploaded", "c uploaded", "d uploaded", "e uploaded"])
    expect(calls.filter((call) => call.startsWith("issue"))).toEqual(["issue 5", "issue d again", "issue e again"])
  })

  it("asks for addresses per purpose and O&M record, with the metadata of each file", async () => {
    const asked: Array<unknown> = []
    const { queue, settled } = makeQueue(undefined, {
      issueUploads: async (uploads) => {
        asked.push(uploads)
        return { results: uploads.files.map(({ filename }) => issuedAs(filename)), summary }
      }
    })
    const om = { ...terms, purpose: "om-documents", omRecordId: "OM-7" } as const
    const dated = { ...terms, documentType: "insurance", validFrom: "2026-01-01", replaces: "old" } as const
    queue.add([
      { file: file("a"), sizeBytes: 1, terms },
      { file: file("b"), sizeBytes: 1, terms: om },
      { file: file("c"), sizeBytes: 1, terms: dated }
    ])
    await settled(["a uploaded", "b uploaded", "c uploaded"])
    const plain = { mimeType: "text/plain", fileSize: 1, documentType: null, validUntil: null }
    const rest = { validFrom: null, replaces: null }
    expect(asked).toEqual([
      {
        siteId: "site",
        fileType: "documents",
        files: [
          { ...plain, ...rest, filename: "a" },
          { ...plain, filename: "c", documentType: "insurance", validFrom: "2026-01-01", replaces: "old" }
        ]
      },
      { siteId: "site", fileType: "om-documents", omRecordId: "OM-7", files: [{ ...plain, ...rest, filename: "b" }] }
    ])
  })

  it("sends all interrupted files of a site again", async () => {
    const send = vi.fn<UploadCalls["uploads"]["send"]>().mockRejectedValueOnce(lost()).mockRejectedValueOnce(lost())
    const { queue, settled } = makeQueue(send.mockResolvedValue())
    queue.add(withTerms([file("a"), file("b"), file("c")]))
    await settled(["a interrupted", "b interrupted", "c uploaded"])
    await queue.retryAll("another site")
    await queue.retryAll("site")
    await settled(["a uploaded", "b uploaded", "c uploaded"])
  })

  it("tells listeners of many changes at once", async () => {
    const { queue, store } = makeQueue()
    let told: ReturnType<typeof queue.uploads> = []
    const listener = vi.fn(() => {
      told = queue.uploads()
    })
    store.subscribe(listener)
    queue.add(withTerms(Array.from({ length: 40 }, (_, index) => file(`${index}`))))
    const uploaded = () => told.filter(({ state }) => state === "uploaded")
    await vi.waitFor(() => expect(uploaded()).toHaveLength(40), patience)
    expect(listener.mock.calls.length).toBeLessThan(40)
    expect(queue.uploads()).toBe(queue.uploads())
  })

  it("uploads the other files after a refused one", async () => {
    const { queue, settled } = makeQueue()
    queue.add(withTerms([file("a.html"), file("b.txt")]))
    await settled(["a.html refused", "b.txt uploaded"])
    expect(queue.uploads()[0]?.fault).toEqual({ code: "mime_type_not_allowed", detail: "no" })
    queue.dismissEnded("site", "uploaded")
    await settled(["a.html refused"])
  })

  it("sends an interrupted file again to a new address of the same document", async () => {
    const send = vi.fn<UploadCalls["uploads"]["send"]>().mockRejectedValueOnce(lost()).mockResolvedValue()
    const { calls, changed, queue, settled } = makeQueue(send)
    queue.add(withTerms([file("a")]))
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
    queue.add(withTerms([file("a")]))
    queue.add(withTerms([file("b")]))
    await settled(["a sending", "b waiting"])
    queue.dismiss(queue.uploads()[0]?.id ?? 0)
    await settled(["b uploaded"])
    expect(broken).toBe(true)
    expect(calls).toContain("delete a")
    queue.clear()
    await settled([])
  })

  it("keeps a stopped file, which is sent again as a new document", async () => {
    const late: Array<() => void> = []
    const { calls, queue, settled } = makeQueue(
      (_issued, _file, { signal } = {}) =>
        new Promise((resolve, reject) => {
          late.push(resolve)
          signal?.addEventListener("abort", () => reject(signal.reason))
        })
    )
    queue.add(withTerms([file("a")]))
    await settled(["a sending"])
    queue.stop(queue.uploads()[0]?.id ?? 0)
    await settled(["a stopped"])
    void queue.retryAll("site")
    await settled(["a sending"])
    late.at(-1)?.()
    await settled(["a uploaded"])
    expect(calls).toEqual(["issue 1", "delete a", "issue 1", "a uploaded"])
    queue.stop(queue.uploads()[0]?.id ?? 0)
    queue.dismissEnded("site", "stopped")
    await settled(["a uploaded"])
  })

  it("keeps the document of a stopped file that existed before", async () => {
    const { calls, queue, settled } = makeQueue(() => new Promise(() => {}))
    void queue.resend(documentIn("failed"), file("a"))
    await settled(["a sending"])
    queue.stop(queue.uploads()[0]?.id ?? 0)
    await settled(["a stopped"])
    void queue.retry(queue.uploads()[0]?.id ?? 0)
    await settled(["a sending"])
    expect(calls).toEqual(["issue a again", "issue a again"])
  })

  it("deletes the document of an upload that was stopped before its address arrived", async () => {
    const { calls, queue, settled } = makeQueue()
    queue.add(withTerms([file("a"), file("b")]))
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
    queue.add(withTerms([file("a")]))
    await settled(["a failed"])
    expect(queue.uploads()[0]?.fault).toEqual({ code: "document_failed", detail: "nothing arrived" })
    refusing.get = async () => documentIn("approved")
    const other = makeQueue(undefined, refusing)
    other.queue.add(withTerms([file("a")]))
    await other.settled(["a uploaded"])
  })

  it("names the origin that did not respond", async () => {
    const { queue, settled } = makeQueue(() => Promise.reject(lost()))
    queue.add(withTerms([file("a")]))
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
    queue.add(withTerms([file("a")]))
    await vi.waitFor(() => expect(queue.uploads()[0]?.state).toBe("interrupted"), patience)
    await queue.retry(queue.uploads()[0]?.id ?? 0)
    expect(queue.uploads()[0]?.state).toBe("uploaded")
    expect(made.issue).toHaveBeenCalledTimes(2)
  })
})
