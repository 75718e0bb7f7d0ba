/**
 * Operations of documents, requirements and coverage.
 */
import { uploadsOf } from "../../../packages/http-node/test/Setup.ts"
import type { Ask, Target } from "../fuzz/Target.ts"
import { after, type Case, casesOf, mebibyte, type Size } from "./Case.ts"
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

const [uploads, documents, document] = ["POST /api/docs/bulk-upload-url", "/api/docs", "/api/docs/{id}"]

/** The largest document, with a file; returns its id. */
const createUploaded = async (ask: Ask, _: Size, upload: Target["upload"]): Promise<string> => {
  const [created] = (await createDocuments(ask, 1)).documents
  if (created === undefined) throw new Error("There is no document.")
  await upload(created.uploadUrl, "text")
  await ask(`PUT ${documents}/${created.documentId}`, { status: "uploaded" })
  return created.documentId
}

const createRefused = async (...given: Parameters<typeof createUploaded>): Promise<string> => {
  const id = await createUploaded(...given)
  await given[0](`PUT ${documents}/${id}`, { status: "failed", reason: wide(500) })
  return id
}

/** A chain of the largest documents; returns the id of the newest. */
const createChain = async (ask: Ask, { sites: count }: Size, upload: Target["upload"]) => {
  const { siteId, ...first } = await createDocuments(ask, 1)
  let [newest] = first.documents
  for (let revisions = count / 10; newest !== undefined; revisions--) {
    await upload(newest.uploadUrl, "text")
    await ask(`PUT ${documents}/${newest.documentId}`, { status: "uploaded" })
    if (revisions <= 0) break
    newest = (await issue(ask, largestUploads(siteId, 1, { replaces: newest.documentId })))[0]
  }
  return newest?.documentId
}

const issueTo =
  (requestOf: (siteId: string) => object): Case["prepare"] =>
  async (ask) => [uploads, requestOf((await createSites(ask, 1))[0] ?? "")]

const rules = "/api/document-requirements"

const requireOfSites = async (ask: Ask, { sites: count }: Size): Promise<void> => {
  await createSites(ask, count)
  await ask(`PUT ${rules}`, { requirements: documentTypes.map((documentType) => ({ documentType })) })
}

const changed = { status: "failed", reason: wide(500), note: wide(2_000, 2) }

export const documentCases = casesOf({
  issueUploadUrls: {
    "20 smallest files": [40_000, issueTo((id) => uploadsOf(id, ...several(20, () => "a"))), 200_000],
    "20 largest files": [200_000, issueTo((id) => largestUploads(id, 20)), mebibyte]
  },
  reissueUploadUrl: {
    "of the largest document": [10_000, after(createRefused, `POST ${document}/upload-url`)]
  },
  getDocument: { "the largest": [20_000, after(createUploaded, `GET ${document}`)] },
  getDownloadUrl: {
    "of the largest filename": [10_000, after(createUploaded, `GET ${document}/download-url`)]
  },
  changeDocumentStatus: {
    "the largest metadata": [20_000, after(createUploaded, `PUT ${document}`, changed)],
    "`null` for its note": [20_000, after(createUploaded, `PUT ${document}`, { note: null })]
  },
  deleteDocument: { "the largest": [0, after(createUploaded, `DELETE ${document}`)] },
  listDocuments: {
    "a page of the largest": [
      10 * mebibyte,
      after((ask, { sites: count }) => createDocuments(ask, count), `GET ${documents}?limit=1000`)
    ]
  },
  listRevisions: {
    "a chain of the largest": [2 * mebibyte, after(createChain, `GET ${document}/revisions?limit=1000`)]
  },
  replaceDocumentRequirements: {
    "200 smallest": [60_000, async (ask) => [`PUT ${rules}`, { requirements: await requirements(ask) }], 300_000]
  },
  getDocumentRequirements: {
    "200": [
      60_000,
      after(async (ask) => ask(`PUT ${rules}`, { requirements: await requirements(ask) }), `GET ${rules}`)
    ]
  },
  listCoverage: {
    "a page of sites with 10 requirements each": [
      4 * mebibyte,
      after(requireOfSites, "GET /api/coverage?limit=1000"),
      100_000
    ]
  },
  summariseCoverage: {
    "of sites with 10 requirements each": [10_000, after(requireOfSites, "GET /api/coverage/summary")]
  }
})
