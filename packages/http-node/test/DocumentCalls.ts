import { type CallsOf, invalid, unknown } from "./OperationScene.ts"

/** Calls of operations on documents, for the comparison of library and client. */
export const documentCalls: CallsOf<"documents"> = {
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
  reissueUpload: [(reissue, { uploaded }) => reissue(uploaded)],
  list: [(list, { site }) => list({ siteId: site, status: "pending", type: "documents" })],
  listRevisions: [(revisions, { pending }) => revisions(pending, { limit: 1 })],
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
  downloadUrl: [(url, { pending }) => url(pending)],
  delete: [(remove, { pending }) => remove(pending)]
}
