/**
 * JSON schemas of requests, which Fastify validates by Ajv, and of responses, which it writes by
 * fast-json-stringify.
 */
import { documentTypes } from "../common/uploads.ts"
import { instant, number, orNull, string, uuid } from "./formats.ts"
import { input, laterOutput, output } from "./site.ts"

const readOnly = {
  id: {},
  organisationId: {},
  createdAt: {},
  updatedAt: {},
  version: {},
  capacityKw: {},
  siteCount: {},
  sites: {}
}

export const updateSite = {
  type: "object",
  additionalProperties: false,
  properties: {
    ...readOnly,
    ...input
  }
}

export const createSite = { ...updateSite, required: ["siteName", "capacity", "unit"] }

export const listSites = {
  type: "object",
  additionalProperties: false,
  properties: {
    limit: { type: "string", pattern: "^([1-9][0-9]{0,2}|1000)$" },
    cursor: { type: "string" },
    portfolioId: uuid,
    siteId: uuid
  }
}

export const issueUploads = {
  type: "object",
  additionalProperties: false,
  required: ["siteId", "fileType", "files"],
  properties: {
    siteId: uuid,
    fileType: { type: "string", enum: ["documents", "om-documents", "coverImage"] },
    omRecordId: {},
    files: {
      type: "array",
      minItems: 1,
      maxItems: 20,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["filename", "mimeType"],
        properties: {
          filename: { type: "string" },
          mimeType: { type: "string" },
          fileSize: { type: ["integer", "null"], minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          documentType: { type: ["string", "null"], enum: [...documentTypes, null] }
        }
      }
    }
  },
  if: { properties: { fileType: { const: "om-documents" } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
  then: { required: ["omRecordId"], properties: { omRecordId: { type: "string" } } }
}

export const site = {
  type: "object",
  properties: {
    id: string,
    organisationId: string,
    ...output,
    capacityKw: number,
    createdAt: instant,
    updatedAt: instant,
    version: { type: "integer" },
    ...laterOutput
  }
}

const list = (items: object) => ({
  type: "object",
  properties: { data: { type: "array", items }, nextCursor: orNull(string) }
})

export const siteList = list(site)

export const portfolioList = list({
  type: "object",
  properties: {
    id: string,
    organisationId: string,
    name: string,
    siteCount: { type: "integer" },
    capacityKw: number,
    createdAt: instant,
    updatedAt: instant,
    version: { type: "integer" },
    externalId: orNull(string),
    sites: { type: "array", items: site }
  }
})

const scopes = { type: "array", items: string }
const portfolioIds = orNull({ type: "array", items: string })

export const me = {
  type: "object",
  properties: {
    organisation: { type: "object", properties: { id: string, name: string, status: string } },
    userId: orNull(string),
    apiKey: {
      type: "object",
      properties: {
        id: string,
        organisationId: string,
        name: string,
        prefix: string,
        createdBy: orNull(string),
        createdAt: instant,
        expiresAt: instant,
        lastUsedAt: orNull(instant),
        scopes,
        portfolioIds
      }
    },
    scopes,
    portfolioIds
  }
}
