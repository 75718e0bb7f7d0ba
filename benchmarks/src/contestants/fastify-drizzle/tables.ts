/**
 * The tables for Drizzle.
 */
import { sql } from "drizzle-orm"
import { bigint, customType, integer, json, numeric, pgSchema, text, timestamp, uuid } from "drizzle-orm/pg-core"
import type { Changes } from "../common/events.ts"
import { settings } from "../common/settings.ts"
import { columns } from "./site.ts"

const schema = pgSchema(settings.schema)
const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" })
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" })

export const organisations = schema.table("organisation", {
  id: uuid("id").primaryKey(),
  name: text("name").notNull(),
  status: text("status").notNull()
})

export const portfolios = schema.table("portfolio", {
  organisationId: uuid("organisation_id").notNull(),
  id: uuid("id").notNull(),
  name: text("name").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  version: integer("version").notNull(),
  externalId: text("external_id")
})

export const sites = schema.table("site", {
  organisationId: uuid("organisation_id").notNull(),
  id: uuid("id").notNull(),
  ...columns,
  kilowattsPerUnit: numeric("kilowatts_per_unit").notNull(),
  capacityKw: numeric("capacity_kw", { mode: "number" })
    .notNull()
    .generatedAlwaysAs(sql`capacity * kilowatts_per_unit`),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  version: integer("version").notNull()
})

export const apiKeys = schema.table("api_key", {
  organisationId: uuid("organisation_id").notNull(),
  id: uuid("id").notNull(),
  digest: bytea("digest").notNull(),
  name: text("name").notNull(),
  prefix: text("prefix").notNull(),
  createdBy: text("created_by"),
  createdAt: instant("created_at").notNull(),
  expiresAt: instant("expires_at").notNull(),
  lastUsedAt: instant("last_used_at"),
  scopes: text("scopes").array(),
  portfolioIds: uuid("portfolio_ids").array()
})

export const documents = schema.table("document", {
  organisationId: uuid("organisation_id").notNull(),
  id: uuid("id").notNull(),
  siteId: uuid("site_id").notNull(),
  type: text("type").notNull(),
  documentType: text("document_type"),
  filename: text("filename").notNull(),
  status: text("status").notNull(),
  mimeType: text("mime_type").notNull(),
  sizeBytes: bigint("size_bytes", { mode: "number" }),
  declaredBytes: bigint("declared_bytes", { mode: "number" }),
  uploadedBy: text("uploaded_by"),
  omRecordId: text("om_record_id"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  version: integer("version").notNull(),
  addressExpiresAt: instant("address_expires_at").notNull(),
  lookAt: instant("look_at")
})

export const eventSequences = schema.table("event_sequence", {
  organisationId: uuid("organisation_id").primaryKey(),
  last: bigint("last", { mode: "number" }).notNull(),
  occurredAt: instant("occurred_at").notNull()
})

export const events = schema.table("event", {
  organisationId: uuid("organisation_id").notNull(),
  sequence: bigint("sequence", { mode: "number" }).notNull(),
  id: uuid("id").notNull(),
  type: text("type").notNull(),
  occurredAt: instant("occurred_at").notNull(),
  userId: text("user_id"),
  apiKeyId: uuid("api_key_id"),
  keyPrefix: text("key_prefix"),
  subjectId: uuid("subject_id").notNull(),
  subjectName: text("subject_name"),
  siteId: uuid("site_id"),
  changes: json("changes").$type<Changes>().notNull(),
  requestId: text("request_id")
})
