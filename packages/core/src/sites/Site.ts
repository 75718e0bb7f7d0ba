/**
 * A solar site, its inputs and its value types (specification, section 2).
 */
import { Effect, Option, Schema } from "effect"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { ExternalId } from "../ids/ExternalId.ts"
import { readOnlyMembers } from "../input/ReadOnlyMembers.ts"
import { allowedInPattern, forbiddenInPattern, isPlainText, Name, SearchText, text } from "../input/Text.ts"
import { Timestamp } from "../input/Timestamp.ts"
import { Uuid } from "../input/Uuid.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"
import { type ConditionsOf, sorting } from "../lists/Sorting.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { storageKeyIn } from "../storage/StorageKey.ts"
import { Version } from "../versions/Version.ts"
import { Capacity, CapacityUnit } from "./Capacity.ts"
import { Attributes, emptied, SearchedTags, Tags } from "./SiteLabels.ts"

export const SiteId = Uuid.pipe(Schema.brand("SiteId"))
export type SiteId = typeof SiteId.Type

const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

// In a body white space at both ends is allowed.
const emailSpace = `[^\\S${forbiddenInPattern}]*`
const emailPart = `${allowedInPattern("\\s@")}+`
const Email = text({
  min: 3,
  max: 254,
  trim: true,
  pattern: `^${emailSpace}${emailPart}@${emailPart}${emailSpace}$`
}).check(Schema.isPattern(/^[^\s@]+@[^\s@]+$/, { message: "must be an e-mail address", faultCode: "invalid_email" }))

/** Contact person of a site; `userId` is the id of the person in the host. Replaced as a whole. */
export const SiteManager = Schema.Struct({
  name: Name,
  email: orNull(Email),
  phone: orNull(text({ min: 1, max: 50, trim: true })),
  company: orNull(text({ min: 1, max: 200, trim: true })),
  userId: orNull(text({ min: 1, max: 200 }))
})
export type SiteManager = typeof SiteManager.Type

const isHttpAddress = (value: string): boolean =>
  // `new URL` parses like browsers and is too lenient: it removes line breaks, and accepts
  // backslashes or missing slashes.
  isPlainText(value) && /^https?:\/\/[^/?#\\@]+(?![^/?#])/i.test(value) && URL.canParse(value)

const isHttpsAddress = (value: string): boolean => isHttpAddress(value) && /^https:/i.test(value)

/** Fault of an address that cannot be a cover. */
export const invalidCoverUrl = {
  code: "invalid_url",
  detail: "must be an https address without user name and password"
}

const coverUrl = (isValid: (value: string) => boolean) =>
  Schema.String.check(
    Schema.isMaxCodePoints(2_048, { message: "must have at most 2048 characters", faultCode: "too_long" }),
    Schema.makeFilter(isValid, { message: invalidCoverUrl.detail, faultCode: invalidCoverUrl.code })
  )

/** Shown by clients; never fetched by the server. */
export const CoverImageUrl = coverUrl(isHttpsAddress)

/**
 * Cover of an existing site: clients may send back the signed address of an uploaded cover.
 * `withoutOwnCover` checks that it belongs to this site.
 */
export const ChangedCoverImageUrl = coverUrl(
  (value) => isHttpsAddress(value) || (isHttpAddress(value) && Option.isSome(storageKeyIn(value)))
)

const degrees = (limit: number) =>
  Schema.Finite.check(
    Schema.isBetween(
      { minimum: -limit, maximum: limit },
      {
        message: `must be from -${limit} to ${limit}`,
        faultCode: "out_of_range"
      }
    )
  )

const required = { siteName: Name, capacity: Capacity, unit: CapacityUnit }

const nullable = {
  address: Schema.NullOr(text({ max: 500, lines: true })),
  latitude: Schema.NullOr(degrees(90)),
  longitude: Schema.NullOr(degrees(180)),
  portfolioId: Schema.NullOr(PortfolioId),
  siteManager: Schema.NullOr(SiteManager),
  coverImageUrl: Schema.NullOr(CoverImageUrl)
}

/** Members of later versions. They come last in JSON. */
const later = { externalId: Schema.NullOr(ExternalId), tags: Tags, attributes: Attributes }
const laterInput = { ...later, tags: emptied(Tags, []), attributes: emptied(Attributes, {}) }

/**
 * `latitude` and `longitude` are in degrees, `capacity` in `unit`, `capacityKw` in kilowatts. In a
 * repository, `coverImageUrl` of an uploaded cover is its storage key; callers get a signed address
 * instead.
 */
export class Site extends Schema.Class<Site>("@solar-sites/core/Site")({
  id: SiteId,
  organisationId: OrganisationId,
  ...required,
  ...nullable,
  coverImageUrl: Schema.NullOr(Schema.String),
  capacityKw: Schema.Finite,
  createdAt: Schema.DateTimeUtcFromString,
  updatedAt: Schema.DateTimeUtcFromString,
  version: Version,
  ...later
}) {}

/** The optional members of a site without values. */
export const emptySiteMembers: Pick<Site, keyof typeof nullable | keyof typeof later> = {
  // Every member of `nullable` may be null.
  ...(Object.fromEntries(Object.keys(nullable).map((name) => [name, null])) as Pick<Site, keyof typeof nullable>),
  externalId: null,
  tags: [],
  attributes: {}
}

const allOptional = <Fields extends Schema.Struct.Fields & Record<string, Schema.Top>>(fields: Fields) =>
  Schema.Struct(fields).mapFields(
    (members) =>
      Object.fromEntries(Object.entries(members).map(([key, schema]) => [key, Schema.optionalKey(schema)])) as {
        readonly [Key in keyof Fields]: Schema.optionalKey<Fields[Key]>
      }
  ).fields

/** Input for a new site; null equals absent. */
export const CreateSite = Schema.Struct({
  ...readOnlyMembers,
  ...required,
  ...allOptional({ ...nullable, ...laterInput })
})
export type CreateSite = typeof CreateSite.Type

/**
 * Changes of a site. An absent member keeps its value; `null` clears an optional one. `tags` and
 * `attributes` are replaced as a whole. `portfolioId`
 * moves the site into a portfolio or, when null, out of its portfolio.
 */
export const UpdateSite = Schema.Struct({
  ...readOnlyMembers,
  ...allOptional(required),
  ...allOptional({ ...nullable, coverImageUrl: Schema.NullOr(ChangedCoverImageUrl), ...laterInput })
})
export type UpdateSite = typeof UpdateSite.Type

/** Members of a site that callers can set. */
export type SiteMembers = Pick<Site, keyof typeof required | keyof typeof nullable | keyof typeof later>

/** The names of `SiteMembers`: events show their changes. */
export const siteMembers = Object.keys({ ...required, ...nullable, ...later }) as ReadonlyArray<keyof SiteMembers>

/**
 * Query of a list of sites; all conditions must hold. Unknown ids and ids of other organisations
 * give an empty list. `q` searches name, address and external id. `tag` lists tags that a site must
 * all have. `updatedAfter` is exclusive.
 */
export const ListSites = Schema.Struct({
  siteId: Schema.optionalKey(SiteId),
  portfolioId: Schema.optionalKey(PortfolioId),
  q: Schema.optionalKey(SearchText),
  tag: Schema.optionalKey(SearchedTags),
  externalId: Schema.optionalKey(ExternalId),
  unit: Schema.optionalKey(CapacityUnit),
  updatedAfter: Schema.optionalKey(Timestamp),
  ...sorting(["createdAt", "updatedAt", "siteName", "capacityKw"]),
  ...paging("sites", maximumPageSize)
})
export type ListSites = typeof ListSites.Type

/** Orders of a list of sites. */
export type SiteSort = NonNullable<ListSites["sort"]>

/** Conditions of a list without paging. */
export type SiteConditions = ConditionsOf<ListSites>
