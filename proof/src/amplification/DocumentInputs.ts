/**
 * Operations of documents, requirements and coverage.
 */
import { uploadsOf } from "../../../packages/http-node/test/Setup.ts"
import type { Ask, Target } from "../fuzz/Target.ts"
import { type Case, mebibyte, nothing } from "./Case.ts"
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
  {
    operation: "issueUploadUrls",
    input: "20 smallest files",
    answerBytes: 40_000,
    storedBytes: 200_000,
    prepare: async (ask) => {
      const [id = ""] = await createSites(ask, 1)
      return ["POST /api/docs/bulk-upload-url", uploadsOf(id, ...several(20, () => "a"))]
    }
  },
  {
    operation: "replaceDocumentRequirements",
    input: "200 smallest",
    answerBytes: 60_000,
    storedBytes: 300_000,
    prepare: async (ask) => ["PUT /api/document-requirements", { requirements: await requirements(ask) }]
  },
  {
    operation: "listCoverage",
    input: "a page of sites with 10 requirements each",
    answerBytes: 4 * mebibyte,
    storedBytes: 100_000,
    prepare: async (ask, { sites }) => {
      await requireOfSites(ask, sites)
      return ["GET /api/coverage?limit=1000"]
    }
  },
  {
    operation: "issueUploadUrls",
    input: "20 largest files",
    answerBytes: 200_000,
    storedBytes: mebibyte,
    prepare: async (ask) => {
      const [siteId = ""] = await createSites(ask, 1)
      return ["POST /api/docs/bulk-upload-url", largestUploads(siteId, 20)]
    }
  },
  {
    operation: "reissueUploadUrl",
    input: "of the largest document",
    answerBytes: 10_000,
    storedBytes: nothing,
    prepare: async (ask, _, upload) => {
      const id = await createUploaded(ask, upload)
      await ask(`PUT /api/docs/${id}`, { status: "failed", reason: wide(500) })
      return [`POST /api/docs/${id}/upload-url`]
    }
  },
  {
    operation: "getDocument",
    input: "the largest",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: ofUploaded((id) => [`GET /api/docs/${id}`])
  },
  {
    operation: "getDownloadUrl",
    input: "of the largest filename",
    answerBytes: 10_000,
    storedBytes: nothing,
    prepare: ofUploaded((id) => [`GET /api/docs/${id}/download-url`])
  },
  {
    operation: "changeDocumentStatus",
    input: "the largest metadata",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: ofUploaded((id) => [`PUT /api/docs/${id}`, { status: "failed", reason: wide(500), note: wide(2_000, 2) }])
  },
  {
    operation: "changeDocumentStatus",
    input: "`null` for its note",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: ofUploaded((id) => [`PUT /api/docs/${id}`, { note: null }])
  },
  {
    operation: "deleteDocument",
    input: "the largest",
    answerBytes: 0,
    storedBytes: nothing,
    prepare: ofUploaded((id) => [`DELETE /api/docs/${id}`])
  },
  {
    operation: "listDocuments",
    input: "a page of the largest",
    answerBytes: 10 * mebibyte,
    storedBytes: nothing,
    prepare: async (ask, { sites }) => {
      await createDocuments(ask, sites)
      return ["GET /api/docs?limit=1000"]
    }
  },
  {
    operation: "listRevisions",
    input: "a chain of the largest",
    answerBytes: 2 * mebibyte,
    storedBytes: nothing,
    prepare: async (ask, { sites }, upload) => {
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
  },
  {
    operation: "getDocumentRequirements",
    input: "200",
    answerBytes: 60_000,
    storedBytes: nothing,
    prepare: async (ask) => {
      await ask("PUT /api/document-requirements", { requirements: await requirements(ask) })
      return ["GET /api/document-requirements"]
    }
  },
  {
    operation: "summariseCoverage",
    input: "of sites with 10 requirements each",
    answerBytes: 10_000,
    storedBytes: nothing,
    prepare: async (ask, { sites }) => {
      await requireOfSites(ask, sites)
      return ["GET /api/coverage/summary"]
    }
  }
]
