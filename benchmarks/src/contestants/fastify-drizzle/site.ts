/**
 * The members of a site that a caller can set: columns of the table, JSON schemas of input and
 * output, and the conversion of texts, which a JSON schema cannot do. A further field of the model
 * needs a line in `SiteMembers`, `columns`, `input`, `output` and `siteOf`; text also in
 * `membersOf`.
 */
import { doublePrecision, jsonb, numeric, text as textColumn, uuid as uuidColumn } from "drizzle-orm/pg-core"
import {
  managerOf,
  type SiteMembers as OriginalMembers,
  type SiteManager,
  type Site as SiteOf,
  type SiteRow,
  type Unit,
  units
} from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import type { Store as StoreOf } from "../common/store.ts"
import { name, number, orNull, string, text, uuid } from "./formats.ts"

type Attributes = Readonly<Record<string, string | number | boolean | null>>

export interface SiteMembers extends OriginalMembers {
  readonly externalId: string | null
  readonly tags: ReadonlyArray<string>
  readonly attributes: Attributes
}

export type Site = SiteOf<SiteMembers>
export type Store = StoreOf<SiteMembers>

/** Columns of the members, to spread into the table. */
export const columns = {
  siteName: textColumn("site_name").notNull(),
  capacity: numeric("capacity", { mode: "number" }).notNull(),
  unit: textColumn("unit").$type<Unit>().notNull(),
  address: textColumn("address"),
  latitude: doublePrecision("latitude"),
  longitude: doublePrecision("longitude"),
  portfolioId: uuidColumn("portfolio_id"),
  siteManager: jsonb("site_manager").$type<SiteManager>(),
  coverImageUrl: textColumn("cover_image_url"),
  externalId: textColumn("external_id"),
  tags: textColumn("tags").array().$type<ReadonlyArray<string>>().notNull(),
  attributes: jsonb("attributes").$type<Attributes>().notNull()
}

export const memberNames = Object.keys(columns) as ReadonlyArray<keyof SiteMembers>

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

const siteManagerOutput = {
  type: ["object", "null"],
  properties: {
    name: string,
    email: orNull(string),
    phone: orNull(string),
    company: orNull(string),
    userId: orNull(string)
  }
}

/** Schemas of the members in a request. */
export const input = {
  siteName: name,
  capacity: { type: "number", exclusiveMinimum: 0, maximum: 1e9 },
  unit: { type: "string", enum: units },
  address: orNull(text(0, 500)),
  latitude: orNull({ type: "number", minimum: -90, maximum: 90 }),
  longitude: orNull({ type: "number", minimum: -180, maximum: 180 }),
  portfolioId: orNull(uuid),
  siteManager: orNull(siteManagerInput),
  coverImageUrl: orNull({ type: "string", maxLength: 2_048, pattern: "^https://[^/@]+(/|$)" }),
  externalId: orNull(text(1, 200)),
  tags: orNull({ type: "array", maxItems: 20, uniqueItems: true, items: text(1, 50) }),
  attributes: orNull({
    type: "object",
    maxProperties: 50,
    additionalProperties: { ...text(0, 1_000), type: ["string", "number", "boolean", "null"] }
  })
}

/** Schemas of the members in a response, in the order of the JSON. */
export const output = {
  siteName: string,
  capacity: number,
  unit: string,
  address: orNull(string),
  latitude: orNull(number),
  longitude: orNull(number),
  portfolioId: orNull(string),
  siteManager: siteManagerOutput,
  coverImageUrl: orNull(string)
}

/** Members that come after all others. */
export const laterOutput = {
  externalId: orNull(string),
  tags: { type: "array", items: string },
  attributes: { type: "object", additionalProperties: { type: ["string", "number", "boolean", "null"] } }
}

export const siteOf = (row: SiteRow<SiteMembers>): Site => ({
  id: row.id,
  organisationId: row.organisationId,
  siteName: row.siteName,
  capacity: Number(row.capacity),
  unit: row.unit,
  address: row.address,
  latitude: row.latitude,
  longitude: row.longitude,
  portfolioId: row.portfolioId,
  siteManager: managerOf(row.siteManager),
  coverImageUrl: row.coverImageUrl,
  capacityKw: Number(row.capacityKw),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
  externalId: row.externalId,
  tags: row.tags,
  attributes: row.attributes
})

const trimmed = (text: string): string => {
  const normal = text.normalize("NFC").trim()
  if (normal === "") throw new Problem("validation_failed")
  return normal
}

const trimmedManager = ({
  company,
  email,
  name,
  phone,
  userId
}: Partial<SiteManager> & { name: string }): SiteManager => ({
  name: trimmed(name),
  email: email == null ? null : trimmed(email),
  phone: phone == null ? null : trimmed(phone),
  company: company == null ? null : trimmed(company),
  userId: userId ?? null
})

const readOnly = ["id", "organisationId", "createdAt", "updatedAt", "version", "capacityKw", "siteCount", "sites"]

export const membersOf = (body: Partial<SiteMembers>): Partial<SiteMembers> => {
  const { address, attributes, externalId, portfolioId, siteManager, siteName, tags, ...rest } = body
  for (const member of readOnly) Reflect.deleteProperty(rest, member)
  return {
    ...rest,
    ...(siteName === undefined ? {} : { siteName: trimmed(siteName) }),
    ...(address === undefined ? {} : { address: address === null ? null : address.normalize("NFC") }),
    ...(portfolioId === undefined ? {} : { portfolioId: portfolioId === null ? null : portfolioId.toLowerCase() }),
    ...(externalId === undefined ? {} : { externalId: externalId === null ? null : externalId.normalize("NFC") }),
    ...(tags === undefined ? {} : { tags: (tags ?? []).map((tag) => tag.normalize("NFC")) }),
    ...(attributes === undefined ? {} : { attributes: attributes ?? {} }),
    ...(siteManager === undefined ? {} : { siteManager: siteManager === null ? null : trimmedManager(siteManager) })
  }
}

const absent = {
  ...Object.fromEntries(Object.keys(columns).map((member) => [member, null])),
  tags: [],
  attributes: {}
}

/** Absent members are null. */
export const newMembers = (body: SiteMembers): SiteMembers => {
  // Every member is there: `absent` has all of them.
  return { ...absent, ...membersOf(body) } as SiteMembers
}
