/**
 * Zod schemas of requests, for frameworks that have no validator of their own.
 */
import { z } from "zod"
import { type SiteMembers, units } from "./model.ts"
import { wholeList } from "./pages.ts"
import type { Fault } from "./problems.ts"
import { documentTypes } from "./uploads.ts"

// No control characters, lone surrogates or characters that reorder the text around them.
const plain = /^[^\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]*$/u

const text = (options: { readonly min?: number; readonly max: number; readonly trim?: boolean }) =>
  z
    .string()
    .regex(plain)
    .transform((value) => (options.trim ? value.normalize("NFC").trim() : value.normalize("NFC")))
    .refine(
      (value) => value.length >= (options.min ?? 0) && (value.length <= options.max || [...value].length <= options.max)
    )

const name = text({ min: 1, max: 200, trim: true })
const uuid = z.guid().toLowerCase()
const absentIsNull = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? null)

const siteManager = z.strictObject({
  name,
  email: absentIsNull(text({ min: 3, max: 254, trim: true }).refine((value) => /^[^\s@]+@[^\s@]+$/.test(value))),
  phone: absentIsNull(text({ min: 1, max: 50, trim: true })),
  company: absentIsNull(text({ min: 1, max: 200, trim: true })),
  userId: absentIsNull(text({ min: 1, max: 200 }))
})

const isCover = (value: string): boolean => {
  const url = URL.parse(value)
  return url?.protocol === "https:" && url.username === "" && url.password === ""
}

const required = { siteName: name, capacity: z.number().positive().max(1e9), unit: z.enum(units) }

const nullable = {
  address: text({ max: 500 }).nullable(),
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  portfolioId: uuid.nullable(),
  siteManager: siteManager.nullable(),
  coverImageUrl: z.string().max(2_048).refine(isCover).nullable()
}

const ignored = z.unknown().optional()
const readOnly = {
  id: ignored,
  organisationId: ignored,
  createdAt: ignored,
  updatedAt: ignored,
  version: ignored,
  capacityKw: ignored,
  siteCount: ignored,
  sites: ignored
}

export const CreateSite = z.strictObject({ ...readOnly, ...required, ...z.object(nullable).partial().shape })
export const UpdateSite = z.strictObject({ ...readOnly, ...z.object({ ...required, ...nullable }).partial().shape })

export const ListSites = z.strictObject({
  limit: z
    .stringFormat("limit", /^([1-9]\d{0,2}|1000)$/)
    .transform(Number)
    .default(wholeList),
  cursor: z.string().optional(),
  portfolioId: uuid.optional(),
  siteId: uuid.optional()
})

const file = z.strictObject({
  filename: z.string(),
  mimeType: z.string(),
  fileSize: z.int().nonnegative().nullish(),
  documentType: z.enum(documentTypes).nullish()
})

export const IssueUploads = z
  .strictObject({
    siteId: uuid,
    fileType: z.enum(["documents", "om-documents", "coverImage"]),
    omRecordId: z.unknown().optional(),
    files: z.array(file).min(1).max(20)
  })
  .refine(({ fileType, omRecordId }) => fileType !== "om-documents" || typeof omRecordId === "string")

export const isUuid = (text: string): boolean => uuid.safeParse(text).success

const noMembers = {
  address: null,
  latitude: null,
  longitude: null,
  portfolioId: null,
  siteManager: null,
  coverImageUrl: null
}

/** All members of a new site, without those that the server sets. */
export const newMembers = (input: z.output<typeof CreateSite>): SiteMembers => ({
  ...noMembers,
  ...changedMembers(input),
  siteName: input.siteName,
  capacity: input.capacity,
  unit: input.unit
})

/** Members to change, without those that the server sets. */
export const changedMembers = (input: z.output<typeof UpdateSite>): Partial<SiteMembers> => {
  const { capacityKw, createdAt, id, organisationId, siteCount, sites, updatedAt, version, ...members } = input
  const sent = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent)
}

interface Issue {
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
  readonly message: string
}

export const faultsOf = (issues: ReadonlyArray<Issue>): ReadonlyArray<Fault> =>
  issues.map(({ message, path = [] }) => {
    const keys = path.map((part) => String(typeof part === "object" ? part.key : part))
    return { pointer: keys.map((key) => `/${key}`).join(""), code: "invalid_value", detail: message }
  })
