/**
 * Clients and fixtures of the tests of the upload queue.
 */
import {
  type Document,
  type IssuedUpload,
  SolarSitesNetworkError,
  SolarSitesProblem
} from "@solar-sites/http-node/client"
import { expect, vi } from "vitest"
import type { UploadTerms } from "../../src/uploads/Upload.ts"
import { type UploadCalls, UploadQueue } from "../../src/uploads/UploadQueue.ts"
import { UploadStore } from "../../src/uploads/UploadStore.ts"

// For busy machines.
export const patience = { timeout: 60_000 }

export const terms: UploadTerms = {
  siteId: "site",
  purpose: "documents",
  omRecordId: null,
  documentType: null,
  validFrom: null,
  validUntil: null,
  replaces: null
}
export const lost = () => new SolarSitesNetworkError({ what: "Sending", attempts: 1 })
export const file = (name: string) => new File([name], name, { type: "text/plain" })
export const withTerms = (files: ReadonlyArray<File>) => files.map((file) => ({ file, sizeBytes: file.size, terms }))

export const documentIn = (status: Document["status"], failureReason: string | null = null): Document => ({
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

export const notPending = () =>
  new SolarSitesProblem(
    { type: "", title: "", status: 409, detail: "", code: "invalid_transition", requestId: "request-1" },
    { what: "PUT", attempts: 1 },
    null
  )

export const summary = { total: 1, successful: 1, failed: 0 }

export const issuedAs = (documentId: string): IssuedUpload => ({
  filename: documentId,
  success: true,
  documentId,
  uploadUrl: { path: "", token: "", url: "https://files.example.com/a", method: "PUT", headers: {}, expiresAt: "" }
})

/** A queue on a client that accepts every type but HTML, and the calls in order. */
export const makeQueue = (
  send: UploadCalls["uploads"]["send"] = async () => {},
  documents: Partial<UploadCalls["documents"]> = {},
  now?: () => number
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
  const store = new UploadStore()
  const queue = new UploadQueue(client, changed, now, store)
  const states = () => queue.uploads().map(({ file, state }) => `${file.name} ${state}`)
  return {
    queue,
    store,
    calls,
    changed,
    states,
    settled: (wanted: ReadonlyArray<string>) => vi.waitFor(() => expect(states()).toEqual(wanted), patience)
  }
}

export const failingOnce = () => {
  const issue = vi
    .fn<UploadCalls["documents"]["issueUploads"]>()
    .mockRejectedValueOnce(lost())
    .mockResolvedValue({ results: [issuedAs("a")], summary })
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
