/**
 * What goes in and out, as JSON schemas: Fastify judges the first by Ajv and
 * writes the second by fast-json-stringify.
 */
import { units } from "../common/model.ts"
import { documentTypes } from "../common/uploads.ts"

const guid = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
// No control characters, lone surrogates or characters that reorder the text around them.
const plain = "[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]"

const uuid = { type: "string", pattern: guid }
const orNull = <Schema extends { readonly type: string }>(schema: Schema) => ({
  ...schema,
  type: [schema.type, "null"]
})
const text = (minLength: number, maxLength: number) => ({
  type: "string",
  minLength,
  maxLength,
  pattern: `^${plain}*$`
})
/** Holds something else than white space. */
const name = { ...text(1, 200), pattern: `^(?=.*\\S)${plain}*$` }

const siteManagerInput = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name,
    email: orNull({ type: "string", maxLength: 254, pattern: "^\\s*[^\\s@]+@[^\\s@]+\\s*$" }),
    phone: orNull(text(1, 50)),
    company: orNull(text(1, 200)),
    userId: orNull(text(1, 200))
  }
}

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
    siteName: name,
    capacity: { type: "number", exclusiveMinimum: 0, maximum: 1e9 },
    unit: { type: "string", enum: units },
    address: orNull(text(0, 500)),
    latitude: orNull({ type: "number", minimum: -90, maximum: 90 }),
    longitude: orNull({ type: "number", minimum: -180, maximum: 180 }),
    portfolioId: orNull(uuid),
    siteManager: orNull(siteManagerInput),
    coverImageUrl: orNull({ type: "string", maxLength: 2_048, pattern: "^https://[^/@]+(/|$)" })
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

const instant = { type: "string", format: "date-time" }
const string = { type: "string" }
const number = { type: "number" }

const siteManager = {
  type: ["object", "null"],
  properties: {
    name: string,
    email: orNull(string),
    phone: orNull(string),
    company: orNull(string),
    userId: orNull(string)
  }
}

export const site = {
  type: "object",
  properties: {
    id: string,
    organisationId: string,
    siteName: string,
    capacity: number,
    unit: string,
    address: orNull(string),
    latitude: orNull(number),
    longitude: orNull(number),
    portfolioId: orNull(string),
    siteManager,
    coverImageUrl: orNull(string),
    capacityKw: number,
    createdAt: instant,
    updatedAt: instant,
    version: { type: "integer" }
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
    sites: { type: "array", items: site }
  }
})

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
        lastUsedAt: orNull(instant)
      }
    }
  }
}
