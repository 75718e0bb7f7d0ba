/**
 * Operations of documents, requirements and coverage.
 */
import { uploadsOf } from "../../../packages/http-node/test/Setup.ts"
import type { Ask, Target } from "../fuzz/Target.ts"
import { type Case, caseOf, mebibyte, nothing } from "./Case.ts"
import {
  createDocuments,
  createSites,
  documentTypes,
  issue,
  largestUploads,
  requirements,
  several,
  wide
} from "./Sizes.ts"

/** The largest document, with a file; returns its id. */
const createUploaded = async (ask: Ask, upload: Target["upload"]): Promise<string> => {
  const [document] = (await createDocuments(ask, 1)).documents
  if (document === undefined) throw new Error("There is no document.")
  await upload(document.uploadUrl, "text")
  await ask(`PUT /api/docs/${document.documentId}`, { status: "uploaded" })
  return document.documentId
}

const ofUploaded =
  (request: (id: string) => readonly [line: string, body?: unknown]): Case["prepare"] =>
  async (ask, _, upload) =>
    request(await createUploaded(ask, upload))

const requireOfSites = async (ask: Ask, sites: number): Promise<void> => {
  await createSites(ask, sites)
  await ask("PUT /api/document-requirements", {
    requirements: documentTypes.map((documentType) => ({ documentType }))
  })
}

export const documentCases: ReadonlyArray<Case> = [
  caseOf("issueUploadUrls", "20 smallest files", { answer: 40_000, stored: 200_000 }, async (ask) => {
    const [id = ""] = await createSites(ask, 1)
    return ["POST /api/docs/bulk-upload-url", uploadsOf(id, ...several(20, () => "a"))]
  }),
  caseOf("replaceDocumentRequirements", "200 smallest", { answer: 60_000, stored: 300_000 }, async (ask) => [
    "PUT /api/document-requirements",
    { requirements: await requirements(ask) }
  ]),
  caseOf(
    "listCoverage",
    "a page of sites with 10 requirements each",
    { answer: 4 * mebibyte, stored: 100_000 },
    async (ask, { sites }) => {
      await requireOfSites(ask, sites)
      return ["GET /api/coverage?limit=1000"]
    }
  ),
  caseOf("issueUploadUrls", "20 largest files", { answer: 200_000, stored: mebibyte }, async (ask) => {
    const [siteId = ""] = await createSites(ask, 1)
    return ["POST /api/docs/bulk-upload-url", largestUploads(siteId, 20)]
  }),
  caseOf("reissueUploadUrl", "of the largest document", { answer: 10_000, stored: nothing }, async (ask, _, upload) => {
    const id = await createUploaded(ask, upload)
    await ask(`PUT /api/docs/${id}`, { status: "failed", reason: wide(500) })
    return [`POST /api/docs/${id}/upload-url`]
  }),
  caseOf(
    "getDocument",
    "the largest",
    { answer: 20_000, stored: nothing },
    ofUploaded((id) => [`GET /api/docs/${id}`])
  ),
  caseOf(
    "getDownloadUrl",
    "of the largest filename",
    { answer: 10_000, stored: nothing },
    ofUploaded((id) => [`GET /api/docs/${id}/download-url`])
  ),
  caseOf(
    "changeDocumentStatus",
    "the largest metadata",
    { answer: 20_000, stored: nothing },
    ofUploaded((id) => [`PUT /api/docs/${id}`, { status: "failed", reason: wide(500), note: wide(2_000, 2) }])
  ),
  caseOf(
    "changeDocumentStatus",
    "`null` for its note",
    { answer: 20_000, stored: nothing },
    ofUploaded((id) => [`PUT /api/docs/${id}`, { note: null }])
  ),
  caseOf(
    "deleteDocument",
    "the largest",
    { answer: 0, stored: nothing },
    ofUploaded((id) => [`DELETE /api/docs/${id}`])
  ),
  caseOf(
    "listDocuments",
    "a page of the largest",
    { answer: 10 * mebibyte, stored: nothing },
    async (ask, { sites }) => {
      await createDocuments(ask, sites)
      return ["GET /api/docs?limit=1000"]
    }
  ),
  caseOf(
    "listRevisions",
    "a chain of the largest",
    { answer: 2 * mebibyte, stored: nothing },
    async (ask, { sites }, upload) => {
      const { siteId, ...first } = await createDocuments(ask, 1)
      let [document] = first.documents
      for (let revisions = sites / 10; document !== undefined; revisions--) {
        await upload(document.uploadUrl, "text")
        await ask(`PUT /api/docs/${document.documentId}`, { status: "uploaded" })
        if (revisions <= 0) break
        document = (await issue(ask, largestUploads(siteId, 1, { replaces: document.documentId })))[0]
      }
      return [`GET /api/docs/${document?.documentId}/revisions?limit=1000`]
    }
  ),
  caseOf("getDocumentRequirements", "200", { answer: 60_000, stored: nothing }, async (ask) => {
    await ask("PUT /api/document-requirements", { requirements: await requirements(ask) })
    return ["GET /api/document-requirements"]
  }),
  caseOf(
    "summariseCoverage",
    "of sites with 10 requirements each",
    { answer: 10_000, stored: nothing },
    async (ask, { sites }) => {
      await requireOfSites(ask, sites)
      return ["GET /api/coverage/summary"]
    }
  )
]
