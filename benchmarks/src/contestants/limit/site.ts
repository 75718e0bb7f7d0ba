/**
 * The members of a site that a caller can set: column, validation and JSON. A further field of the
 * model needs a line in `SiteMembers`, in `columns` and in `siteOf`.
 */
import {
  kilowattsPerUnit,
  managerOf,
  type SiteMembers as OriginalMembers,
  type SiteManager,
  type Site as SiteOf,
  type SiteRow as SiteRowOf,
  type Unit
} from "../common/model.ts"
import { numberIn, objectOf, orNull, type Reader, refuse, text, uuid } from "../common/readers.ts"
import type { Store as StoreOf } from "../common/store.ts"

type Attributes = Readonly<Record<string, string | number | boolean | null>>

export interface SiteMembers extends OriginalMembers {
  readonly externalId: string | null
  readonly tags: ReadonlyArray<string>
  readonly attributes: Attributes
}

export type Site = SiteOf<SiteMembers>
export type SiteRow = SiteRowOf<SiteMembers>
export type Store = StoreOf<SiteMembers>

const managerMembers: Readonly<Record<keyof SiteManager, Reader<string>>> = {
  name: text(1, 200),
  email: text(3, 254),
  phone: text(1, 50),
  company: text(1, 200),
  userId: text(1, 200, false)
}

const siteManager: Reader<SiteManager> = (value, pointer) => {
  const input = objectOf(value, pointer)
  for (const key in input)
    if (!(key in managerMembers)) return refuse(`${pointer}/${key}`, "unknown_member", "is unknown")
  const read = (key: keyof SiteManager) => {
    const member = input[key] ?? null
    return member === null ? null : managerMembers[key](member, `${pointer}/${key}`)
  }
  const email = read("email")
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email))
    return refuse(`${pointer}/email`, "invalid_email", "must be an address")
  const name = managerMembers.name(input["name"], `${pointer}/name`)
  return { name, email, phone: read("phone"), company: read("company"), userId: read("userId") }
}

const isUnit = (value: unknown): value is Unit => typeof value === "string" && Object.hasOwn(kilowattsPerUnit, value)

const coverImageUrl: Reader<string> = (value, pointer) => {
  const url = typeof value === "string" && value.length <= 2_048 ? URL.parse(value) : null
  const isRight = url?.protocol === "https:" && url.username === "" && url.password === ""
  return typeof value === "string" && isRight ? value : refuse(pointer, "invalid_url", "must be an https address")
}

const tags: Reader<ReadonlyArray<string>> = (value, pointer) => {
  if (value === null) return []
  if (!Array.isArray(value) || value.length > 20) return refuse(pointer, "invalid_type", "must be at most 20 texts")
  const read = value.map((tag, index) => text(1, 50, false)(tag, `${pointer}/${index}`))
  return new Set(read).size === read.length ? read : refuse(pointer, "duplicate", "must be different")
}

const attribute = (value: unknown, pointer: string) =>
  value === null || typeof value === "boolean" || typeof value === "number"
    ? value
    : text(0, 1_000, false)(value, pointer)

const attributes: Reader<Attributes> = (value, pointer) => {
  const entries = Object.entries(objectOf(value ?? {}, pointer))
  if (entries.length > 50) return refuse(pointer, "too_many", "must be at most 50 attributes")
  const read = entries.map(([name, given]) => {
    return [text(1, 100, false)(name, pointer), attribute(given, `${pointer}/${name}`)] as const
  })
  return Object.fromEntries(read.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Column and reader of each member. */
const columns: { readonly [Key in keyof SiteMembers]: readonly [column: string, read: Reader<SiteMembers[Key]>] } = {
  siteName: ["site_name", text(1, 200)],
  capacity: ["capacity", numberIn((value) => value > 0 && value <= 1e9)],
  unit: ["unit", (value, pointer) => (isUnit(value) ? value : refuse(pointer, "invalid_value", "must be a unit"))],
  address: ["address", orNull(text(0, 500, false))],
  latitude: ["latitude", orNull(numberIn((value) => Math.abs(value) <= 90))],
  longitude: ["longitude", orNull(numberIn((value) => Math.abs(value) <= 180))],
  portfolioId: ["portfolio_id", orNull(uuid)],
  siteManager: ["site_manager", orNull(siteManager)],
  coverImageUrl: ["cover_image_url", orNull(coverImageUrl)],
  externalId: ["external_id", orNull(text(1, 200, false))],
  tags: ["tags", tags],
  attributes: ["attributes", attributes]
}

/** The members in the order of the JSON, as in `common/model.ts`. */
export const siteOf = (row: SiteRow): Site => ({
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

const isMember = (key: string): key is keyof SiteMembers => Object.hasOwn(columns, key)

export const memberNames: ReadonlyArray<keyof SiteMembers> = Object.keys(columns).filter(isMember)

export const columnOf = (member: keyof SiteMembers): string => columns[member][0]

const readOnly = new Set([
  "id",
  "organisationId",
  "createdAt",
  "updatedAt",
  "version",
  "capacityKw",
  "siteCount",
  "sites"
])

export const readChanges = (body: unknown): Partial<SiteMembers> => {
  const changes: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(objectOf(body, ""))) {
    if (isMember(key)) changes[key] = columns[key][1](value, `/${key}`)
    else if (!readOnly.has(key)) refuse(`/${key}`, "unknown_member", "is not a member that can be sent here")
  }
  return changes
}

const absent = { ...Object.fromEntries(memberNames.map((name) => [name, null])), tags: [], attributes: {} }

export const readNewSite = (body: unknown): SiteMembers => {
  const changes = readChanges(body)
  const { capacity, siteName, unit } = changes
  if (siteName === undefined || capacity === undefined || unit === undefined)
    return refuse("", "required", "is required")
  // Every member is there: `absent` has all of them.
  return { ...absent, ...changes } as SiteMembers
}
