import type { DocumentOperations } from "@solar-sites/core"

const unknown = "01890000-0000-7000-8000-000000000000"
const invalid = "../portfolios"

interface Ids {
  readonly site: string
  readonly pending: string
  readonly uploaded: string
}

/** Calls of every operation on documents. */
export const documentCalls: {
  readonly [Name in keyof DocumentOperations]: ReadonlyArray<
    (method: DocumentOperations[Name], ids: Ids) => Promise<unknown>
  >
} = {
  issueUploads: [
    (issue, { site }) =>
      issue({
        siteId: site,
        fileType: "om-documents",
        omRecordId: "inspection-7",
        files: ["a.pdf", ".."].map((filename) => ({ filename, mimeType: "application/pdf", fileSize: 8 }))
      }),
    (issue) => issue({ siteId: unknown, fileType: "documents", files: [{ filename: "a", mimeType: "" }] }),
    (issue, { site }) => issue({ siteId: site, fileType: "documents", files: [] })
  ],
  reissueUpload: [
    (reissue, { pending }) => reissue(pending),
    (reissue, { uploaded }) => reissue(uploaded),
    (reissue) => reissue(invalid)
  ],
  get: [(get, { uploaded }) => get(uploaded), (get) => get(unknown)],
  list: [(list) => list(), (list, { site }) => list({ siteId: site, status: "pending", type: "documents" })],
  listRevisions: [
    (revisions, { uploaded }) => revisions(uploaded),
    (revisions, { pending }) => revisions(pending, { limit: 1 }),
    (revisions) => revisions(unknown)
  ],
  changeStatus: [
    (change, { uploaded }) => change(uploaded, { status: "approved" }, { expectedVersion: 2 }),
    (change, { uploaded }) => change(uploaded, { status: "failed", reason: "blurred" }),
    (change, { uploaded }) => change(uploaded, { status: "approved" }, { expectedVersion: 1 }),
    (change, { uploaded }) => change(uploaded, { note: "1", validFrom: "2026-01-01", filename: "b.pdf" }),
    (change, { uploaded }) => change(uploaded, { validUntil: "2025-12-31" }),
    (change, { uploaded }) => change(uploaded, { filename: ".." }),
    (change, { pending }) => change(pending, { status: "uploaded" }),
    (change, { pending }) => change(pending, { status: "completed" }),
    (change) => change(invalid, {})
  ],
  downloadUrl: [(url, { uploaded }) => url(uploaded), (url, { pending }) => url(pending)],
  delete: [(remove, { pending }) => remove(pending), (remove, { uploaded }) => remove(uploaded, { expectedVersion: 9 })]
}
