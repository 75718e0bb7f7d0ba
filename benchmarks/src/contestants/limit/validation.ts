/**
 * Judges by hand what callers send.
 */
import { kilowattsPerUnit, type SiteManager, type SiteMembers, type Unit } from "../common/model.ts"
import { decodeCursor, type SiteQuery, wholeList } from "../common/pages.ts"
import { type Fault, Problem } from "../common/problems.ts"
import { documentTypes, type UploadFile, type UploadInput } from "../common/uploads.ts"

type Input = Readonly<Record<string, unknown>>
type Reader<A> = (value: unknown, pointer: string) => A

const refuse = (pointer: string, code: string, detail: string): never => {
  const fault: Fault = { pointer, code, detail }
  throw new Problem("validation_failed", [fault])
}

const forbidden = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => uuidPattern.test(text)

const isLonger = (text: string, max: number): boolean => text.length > max && [...text].length > max

const text =
  (min: number, max: number, trim = true): Reader<string> =>
  (value, pointer) => {
    if (typeof value !== "string") return refuse(pointer, "invalid_type", "must be a string")
    if (forbidden.test(value)) return refuse(pointer, "forbidden_character", "must be plain text")
    const normal = trim ? value.normalize("NFC").trim() : value.normalize("NFC")
    if (normal.length < min || isLonger(normal, max))
      return refuse(pointer, "invalid_length", `must have ${min} to ${max} characters`)
    return normal
  }

const numberIn =
  (isRight: (value: number) => boolean): Reader<number> =>
  (value, pointer) =>
    typeof value === "number" && isRight(value) ? value : refuse(pointer, "out_of_range", "must be a number in range")

const uuid: Reader<string> = (value, pointer) =>
  typeof value === "string" && isUuid(value) ? value.toLowerCase() : refuse(pointer, "invalid_uuid", "must be a UUID")

const orNull =
  <A>(read: Reader<A>): Reader<A | null> =>
  (value, pointer) =>
    value === null ? null : read(value, pointer)

const objectOf = (value: unknown, pointer: string): Input =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : refuse(pointer, "invalid_type", "must be an object")

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

const members: { readonly [Key in keyof SiteMembers]: Reader<SiteMembers[Key]> } = {
  siteName: text(1, 200),
  capacity: numberIn((value) => value > 0 && value <= 1e9),
  unit: (value, pointer) => (isUnit(value) ? value : refuse(pointer, "invalid_value", "must be a unit")),
  address: orNull(text(0, 500, false)),
  latitude: orNull(numberIn((value) => Math.abs(value) <= 90)),
  longitude: orNull(numberIn((value) => Math.abs(value) <= 180)),
  portfolioId: orNull(uuid),
  siteManager: orNull(siteManager),
  coverImageUrl: orNull(coverImageUrl)
}

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
const isMember = (key: string): key is keyof SiteMembers => Object.hasOwn(members, key)

export const readChanges = (body: unknown): Partial<SiteMembers> => {
  const changes: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(objectOf(body, ""))) {
    if (isMember(key)) changes[key] = members[key](value, `/${key}`)
    else if (!readOnly.has(key)) refuse(`/${key}`, "unknown_member", "is not a member that can be sent here")
  }
  return changes
}

export const readNewSite = (body: unknown): SiteMembers => {
  const { address = null, capacity, coverImageUrl = null, ...rest } = readChanges(body)
  const { latitude = null, longitude = null, portfolioId = null, siteManager = null, siteName, unit } = rest
  if (siteName === undefined || capacity === undefined || unit === undefined)
    return refuse("", "required", "is required")
  return { siteName, capacity, unit, address, latitude, longitude, portfolioId, siteManager, coverImageUrl }
}

const file = (value: unknown, pointer: string): UploadFile => {
  const { documentType = null, fileSize = null, filename, mimeType, ...others } = objectOf(value, pointer)
  for (const key in others) return refuse(`${pointer}/${key}`, "unknown_member", "is unknown")
  if (typeof filename !== "string" || typeof mimeType !== "string")
    return refuse(pointer, "required", "needs filename and mimeType")
  if (fileSize !== null && (!Number.isSafeInteger(fileSize) || Number(fileSize) < 0))
    return refuse(`${pointer}/fileSize`, "out_of_range", "must be a whole number")
  const type = documentType === null ? null : documentTypes.find((known) => known === documentType)
  if (type === undefined) return refuse(`${pointer}/documentType`, "invalid_value", "is unknown")
  return { filename, mimeType, fileSize: fileSize === null ? null : Number(fileSize), documentType: type }
}

const fileTypes = ["documents", "om-documents", "coverImage"] as const

export const readUploads = (body: unknown): UploadInput => {
  const { fileType, files, omRecordId, siteId, ...others } = objectOf(body, "")
  for (const key in others) return refuse(`/${key}`, "unknown_member", "is unknown")
  const type = fileTypes.find((known) => known === fileType) ?? refuse("/fileType", "invalid_value", "is unknown")
  if (type === "om-documents" && typeof omRecordId !== "string") return refuse("/omRecordId", "required", "is required")
  if (!Array.isArray(files) || files.length < 1 || files.length > 20)
    return refuse("/files", "too_many", "must be 1 to 20 files")
  return {
    siteId: uuid(siteId, "/siteId"),
    fileType: type,
    omRecordId,
    files: files.map((one, n) => file(one, `/files/${n}`))
  }
}

export const readQuery = (parameters: URLSearchParams): SiteQuery => {
  const query: { -readonly [Key in keyof SiteQuery]: SiteQuery[Key] } = { limit: wholeList }
  for (const [key, value] of parameters) {
    if (key === "limit" && /^([1-9]\d{0,2}|1000)$/.test(value)) query.limit = Number(value)
    else if (key === "cursor") query.after = decodeCursor(value)
    else if (key === "portfolioId" || key === "siteId") query[key] = uuid(value, `/${key}`)
    else refuse(`/${key}`, "invalid_value", "is not right here")
  }
  return query
}
