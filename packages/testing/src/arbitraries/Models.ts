/**
 * Arbitrary models, as a repository can store them.
 */
import {
  ApiKey,
  type Attributes,
  capacityKw,
  Document,
  Organisation,
  Portfolio,
  Site,
  type SiteManager,
  storageKey
} from "@solar-sites/core"
import { Arbitrary, DateTime, Schema } from "effect"
import { day, filename, instant, oneOf, orNull, text, word } from "./Choices.ts"
import { members } from "./Members.ts"

const name = text({ min: 1, max: 200 })
const times = { createdAt: instant, updatedAt: instant }

/** An unresolvable https address (RFC 2606). */
const coverImageUrl: Arbitrary.Arbitrary<string> = Arbitrary.map(
  text({ min: 1, max: 40 }),
  (part) => `https://images.invalid/${encodeURIComponent(part)}`
)

/** Contact person of a site. */
const siteManager: Arbitrary.Arbitrary<SiteManager> = Arbitrary.all({
  name,
  email: orNull(Arbitrary.map(word("ab.+-19", 1, 20), (part) => `${part}@example.invalid`)),
  phone: orNull(text({ min: 1, max: 50 })),
  company: orNull(text({ min: 1, max: 200 })),
  userId: orNull(text({ min: 1, max: 200 }))
})

const tags = Arbitrary.map(Arbitrary.array(text({ min: 1, max: 50 }), { maxLength: 5 }), (all) => [...new Set(all)])

const attribute = Arbitrary.all({
  name: text({ min: 1, max: 100 }),
  value: oneOf<Attributes[string]>(
    text({ min: 0, max: 1_000 }),
    Arbitrary.schema(Schema.Literals([0, -1.5, 1e-7, 1e300, true, false])),
    Arbitrary.Constant(null)
  )
})
const attributes = Arbitrary.map(Arbitrary.array(attribute, { maxLength: 5 }), (all) =>
  Object.fromEntries(all.map(({ name, value }) => [name, value]))
)

/** Members of a site for which schemas rarely give valid values. */
export const siteMembers = {
  siteName: name,
  address: orNull(text({ min: 0, max: 500 })),
  siteManager: orNull(siteManager),
  coverImageUrl: orNull(coverImageUrl),
  externalId: orNull(text({ min: 1, max: 200 })),
  tags,
  attributes
}

const inOrder = <Times extends { readonly createdAt: DateTime.Utc; readonly updatedAt: DateTime.Utc }>(
  times: Times
) => ({
  ...times,
  updatedAt: DateTime.max(times.createdAt, times.updatedAt)
})

const decodeSite = Schema.decodeUnknownSync(Site)

/** Any site. Given members are fixed; `capacityKw` follows `capacity` and `unit`. */
export const site = (overrides: Partial<Site> = {}): Arbitrary.Arbitrary<Site> =>
  Arbitrary.map(members(Site.fields, { ...siteMembers, ...times }), (encoded) => {
    const { capacity, unit, ...fields } = { ...inOrder(decodeSite(encoded)), ...overrides }
    return new Site({ ...fields, capacity, unit, capacityKw: overrides.capacityKw ?? capacityKw(capacity, unit) })
  })

const total = Arbitrary.schema(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e15 })))
const decodePortfolio = Schema.decodeUnknownSync(Portfolio)

/** Any portfolio, with any number and capacity of sites. */
export const portfolio = (overrides: Partial<Portfolio> = {}): Arbitrary.Arbitrary<Portfolio> =>
  Arbitrary.map(
    members(Portfolio.fields, { name, externalId: orNull(text({ min: 1, max: 200 })), capacityKw: total, ...times }),
    (encoded) => new Portfolio({ ...inOrder(decodePortfolio(encoded)), ...overrides })
  )

/** Without an end before the beginning. */
const inValidity = <Days extends Pick<Document, "validFrom" | "validUntil">>(days: Days): Days =>
  days.validFrom !== null && days.validUntil !== null && days.validUntil < days.validFrom
    ? { ...days, validFrom: days.validUntil, validUntil: days.validFrom }
    : days

const decodeDocument = Schema.decodeUnknownSync(Document)
const mimeType = Arbitrary.schema(
  Schema.Literals(["application/pdf", "text/plain", "application/octet-stream", "image/png"])
)
const sizeBytes = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })))

/** Any document in any status. `path` follows the ids. */
export const document = (overrides: Partial<Document> = {}): Arbitrary.Arbitrary<Document> => {
  const own = {
    filename,
    mimeType,
    sizeBytes: orNull(sizeBytes),
    uploadedBy: orNull(text({ min: 1, max: 200 })),
    omRecordId: orNull(text({ min: 1, max: 200 })),
    failureReason: orNull(text({ min: 1, max: 500 })),
    note: orNull(text({ min: 0, max: 2_000 })),
    validFrom: orNull(day),
    validUntil: orNull(day),
    // Only the test knows an existing document; it passes it as an override.
    replaces: Arbitrary.Constant(null),
    replacedBy: Arbitrary.Constant(null),
    ...times
  }
  return Arbitrary.map(members(Document.fields, own), (encoded) => {
    const fields = { ...inValidity(inOrder(decodeDocument(encoded))), ...overrides }
    const { id: documentId, organisationId, siteId } = fields
    return new Document({ ...fields, path: overrides.path ?? storageKey({ organisationId, siteId, documentId }) })
  })
}

const decodeOrganisation = Schema.decodeUnknownSync(Organisation)

/** Any organisation, active or inactive. */
export const organisation = (overrides: Partial<Organisation> = {}): Arbitrary.Arbitrary<Organisation> =>
  Arbitrary.map(
    members(Organisation.fields, { name }),
    (encoded) => new Organisation({ ...decodeOrganisation(encoded), ...overrides })
  )

const decodeApiKey = Schema.decodeUnknownSync(ApiKey)
const prefix = Arbitrary.map(word("aZ9_-", 6, 6), (part) => `sk_live_${part}`)

/** Any API key, including expired ones. Its secret is unknown. */
export const apiKey = (overrides: Partial<ApiKey> = {}): Arbitrary.Arbitrary<ApiKey> => {
  const own = {
    name,
    prefix,
    createdBy: orNull(text({ min: 1, max: 200 })),
    createdAt: instant,
    expiresAt: instant,
    lastUsedAt: orNull(instant)
  }
  return Arbitrary.map(members(ApiKey.fields, own), (encoded) => new ApiKey({ ...decodeApiKey(encoded), ...overrides }))
}
