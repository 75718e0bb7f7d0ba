/**
 * The values the API reference shows: one organisation with one portfolio, one
 * site and one document of it, so that all examples fit together.
 */
import { apiScopes, emptySiteMembers } from "@solar-sites/core/model"

const organisationId = "0197a3b0-7000-7000-8000-00000000000a"

export const examplePortfolio = {
  id: "0197a3b0-7000-7000-8000-00000000000b",
  organisationId,
  name: "North",
  siteCount: 1,
  capacityKw: 1200,
  createdAt: "2026-01-05T08:30:00.000Z",
  updatedAt: "2026-01-05T08:30:00.000Z",
  version: 1,
  externalId: null
}

const newSite = {
  siteName: "Long Meadow",
  address: "Long Meadow Farm, LS1 4AB",
  capacity: 1.2,
  unit: "MW",
  latitude: 53.79648,
  longitude: -1.54785,
  portfolioId: examplePortfolio.id,
  siteManager: { name: "Ada Example", email: "ada@example.com" }
}

const identifiers = {
  externalId: "SAP-40017",
  tags: ["rooftop", "north"],
  attributes: { feedInTariff: 0.082, inverter: "SUN2000" }
}

/** What a caller sends to make the example site. */
export const exampleNewSite = { ...newSite, ...identifiers }

export const exampleSite = {
  id: "0197a3b0-7000-7000-8000-00000000000c",
  organisationId,
  ...emptySiteMembers,
  ...newSite,
  siteManager: { ...newSite.siteManager, phone: null, company: null, userId: null },
  capacityKw: 1200,
  createdAt: "2026-01-05T08:31:00.000Z",
  updatedAt: "2026-01-05T08:31:00.000Z",
  version: 1,
  ...identifiers
}

export const exampleDocument = {
  id: "0197a3b0-7000-7000-8000-00000000000e",
  organisationId,
  siteId: exampleSite.id,
  type: "om-documents",
  documentType: "om_ticket",
  filename: "Inverter 3, visit.pdf",
  path: `${organisationId}/${exampleSite.id}/0197a3b0-7000-7000-8000-00000000000e`,
  status: "uploaded",
  mimeType: "application/pdf",
  sizeBytes: 48213,
  uploadedBy: null,
  omRecordId: "OM-2026-0117",
  failureReason: null,
  createdAt: "2026-01-05T08:32:00.000Z",
  updatedAt: "2026-01-05T08:32:07.000Z",
  version: 2,
  note: null,
  validFrom: null,
  validUntil: null,
  replaces: null,
  replacedBy: null
}

/**
 * What a caller sends for upload addresses: one file that may come, and one
 * that may not.
 */
export const exampleUploads = {
  siteId: exampleSite.id,
  fileType: exampleDocument.type,
  omRecordId: exampleDocument.omRecordId,
  files: [
    { filename: exampleDocument.filename, mimeType: "application/pdf", fileSize: 48213, documentType: "om_ticket" },
    { filename: "setup.exe", mimeType: "application/x-msdownload" }
  ]
}

const address = `https://files.example.com/${exampleDocument.path}`

export const exampleIssuedUpload = {
  filename: exampleDocument.filename,
  success: true,
  uploadUrl: {
    path: address,
    token: "expires=1767601980&signature=example",
    url: `${address}?expires=1767601980&signature=example`,
    method: "PUT",
    headers: { "content-type": exampleDocument.mimeType },
    expiresAt: "2026-01-05T08:33:00.000Z"
  },
  documentId: exampleDocument.id
}

export const exampleIssuedUploads = {
  results: [
    exampleIssuedUpload,
    {
      index: 1,
      filename: "setup.exe",
      success: false,
      error: {
        code: "mime_type_not_allowed",
        detail: "files that a browser or an operating system would run are not accepted"
      }
    }
  ],
  summary: { total: 2, successful: 1, failed: 1 }
}

export const exampleDownload = {
  url: `${address}?expires=1767602280&signature=example`,
  expiresAt: "2026-01-05T08:38:00.000Z"
}

export const exampleMe = {
  organisation: { id: organisationId, name: "Example Energy", status: "active" },
  userId: null,
  apiKey: {
    id: "0197a3b0-7000-7000-8000-00000000000d",
    organisationId,
    name: "Nightly export",
    prefix: "sk_live_",
    createdBy: null,
    createdAt: "2026-01-05T08:29:00.000Z",
    expiresAt: "2027-01-05T08:29:00.000Z",
    lastUsedAt: null,
    scopes: apiScopes,
    portfolioIds: null
  },
  scopes: apiScopes,
  portfolioIds: null
}
