/**
 * Resources of the smallest and the largest size.
 */
import { DocumentType } from "@solar-sites/core/model"
import type { UploadUrl } from "../../../packages/http-node/test/Setup.ts"
import type { Ask } from "../fuzz/Target.ts"

// Ideographs of four bytes in UTF-8 and in JSON, in an order that Postgres cannot compress.
export const wide = (length: number, seed = 1): string => {
  let state = seed
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCodePoint(0x20000 + (state % 0xa000))
  }).join("")
}
// NFC makes three characters of one: 4 bytes become 12.
const growing = (length: number): string => "\u{1d160}".repeat(length / 3)

const attributesOf = (valueAt: (index: number) => unknown) =>
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index + 10}${wide(98, index + 1)}`, valueAt(index)]))

export const powers = attributesOf(() => 1e300)

export const aSite = { siteName: "a", capacity: 1, unit: "W" }
export const largest = {
  ...aSite,
  siteName: wide(200),
  address: growing(498),
  siteManager: { name: wide(200), company: wide(200), userId: wide(200), phone: wide(50) },
  tags: Array.from({ length: 20 }, (_, index) => `${index}${wide(48, index + 200)}`),
  attributes: attributesOf((index) => wide(1_000, index + 60))
}

/** More have more than 8 MiB of attributes, which no step changes. */
export const mostLarge = 35

export const several = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const idsOf = ({ data }: { readonly data: ReadonlyArray<{ readonly id: string }> }) => data.map(({ id }) => id)

export const createSites = async (ask: Ask, count: number, members: object = {}): Promise<ReadonlyArray<string>> => {
  const { data } = await ask("POST /api/sites/bulk", { sites: several(count, () => ({ ...aSite, ...members })) })
  return data.map(({ site }: { site: { id: string } }) => site.id)
}

export const createLarge = async (ask: Ask, count: number, members: object = {}): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (const externalId of several(count, String))
    ids.push((await ask("POST /api/sites", { ...largest, ...members, externalId })).id)
  return ids
}

export const createPortfolio = async (ask: Ask): Promise<string> => {
  const [id = ""] = idsOf(await ask("POST /api/portfolios", [{ name: "a" }]))
  return id
}

export const documentTypes = DocumentType.literals.slice(0, 10)

export const requirements = async (ask: Ask) => {
  const portfolios = several(20, () => ({ name: "a" }))
  const ids = idsOf(await ask("POST /api/portfolios", portfolios))
  return ids.flatMap((portfolioId) => documentTypes.map((documentType) => ({ documentType, portfolioId })))
}

/** An upload request of files with the largest metadata. */
export const largestUploads = (siteId: string, files: number, members: object = {}) => ({
  siteId,
  fileType: "om-documents",
  omRecordId: wide(200),
  files: several(files, (index) => ({
    filename: `${wide(60, index + 1)}.txt`,
    mimeType: "text/plain",
    documentType: "warranty_information",
    note: wide(2_000, index + 1),
    validFrom: "2026-01-01",
    validUntil: "2026-12-31",
    ...members
  }))
})

interface Issued {
  readonly documentId: string
  readonly uploadUrl: UploadUrl
}

export const issue = async (ask: Ask, uploads: object): Promise<ReadonlyArray<Issued>> =>
  (await ask("POST /api/docs/bulk-upload-url", uploads)).results

/** Pending documents with the largest metadata, of one site. */
export const createDocuments = async (ask: Ask, count: number) => {
  const [siteId = ""] = await createSites(ask, 1)
  const documents: Array<Issued> = []
  for (let left = count; left > 0; left -= 20)
    documents.push(...(await issue(ask, largestUploads(siteId, Math.min(left, 20)))))
  return { siteId, documents }
}

/** Nothing listens there. */
export const receiver = "https://127.0.0.1:9/"

export const createWebhooks = async (ask: Ask, count: number): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (const url of several(count, () => receiver))
    ids.push((await ask("POST /api/webhooks", { url, events: ["*"] })).id)
  return ids
}
