/**
 * Reads what applications without Effect hand over: with the schemas of the
 * models, all faults at once, unknown members refused. Read at once, so that what
 * becomes of an object afterwards does not matter.
 */
import { Effect, Option, Result, Schema, SchemaParser } from "effect"
import { CreateApiKey, ListApiKeys, RotateApiKey } from "../api-keys/ApiKey.ts"
import { ApiKeyNotFound } from "../api-keys/ApiKeyErrors.ts"
import { ApiKeyId, Caller } from "../caller/Caller.ts"
import { ChangeDocumentStatus, DocumentId, ListDocuments } from "../documents/Document.ts"
import { DocumentNotFound } from "../documents/DocumentErrors.ts"
import { IssueHostUploads } from "../documents/UploadRequest.ts"
import { type Fault, faultsOf, ValidationFailed } from "../input/ValidationFailed.ts"
import { CreateOrganisation, OrganisationId, UpdateOrganisation } from "../organisations/Organisation.ts"
import { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import { type CursorKind, decodeCursor, maximumPageSize, paging } from "../persistence/Page.ts"
import { type ExpectedVersions, Version } from "../persistence/Version.ts"
import {
  CreatePortfolio,
  CreatePortfolios,
  ListPortfolios,
  ListPortfoliosWithSites,
  SiteIds,
  UpdatePortfolio
} from "../portfolios/Portfolio.ts"
import { PortfolioId, PortfolioNotFound } from "../sites/PortfolioReference.ts"
import { CreateSite, ListSites, SiteId, UpdateSite } from "../sites/Site.ts"
import { SiteNotFound } from "../sites/SiteErrors.ts"

// No input is deeper or wider; what cannot be an input may be, or hold itself.
const maximumDepth = 8
const maximumWidth = 1_000

/** As JSON has it: a member that is undefined is no member. */
const present = (value: unknown, depth = 0): unknown => {
  if (typeof value !== "object" || value === null || depth === maximumDepth) return value
  if (Array.isArray(value)) {
    return value.length > maximumWidth ? value : value.map((item) => present(item, depth + 1))
  }
  const names = Object.keys(value)
  if (names.length > maximumWidth) return value
  const members = names.map((name) => [name, Reflect.get(value, name)] as const)
  return Object.fromEntries(
    members.flatMap(([name, member]) => (member === undefined ? [] : [[name, present(member, depth + 1)]]))
  )
}

type Faults = ReadonlyArray<Fault>

const resultOf = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = SchemaParser.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Result.Result<S["Type"], Faults> => Result.mapError(decode(present(input)), faultsOf)
}

const settle = <A>(read: Result.Result<A, Faults>, more: Faults = []): Effect.Effect<A, ValidationFailed> => {
  const [first, ...rest] = [...(Result.isFailure(read) ? read.failure : []), ...more]
  if (first !== undefined) return Effect.fail(new ValidationFailed({ faults: [first, ...rest] }))
  return Result.isSuccess(read) ? Effect.succeed(read.success) : Effect.die(new Error("A refusal without a fault"))
}

/** What cannot even be looked at, as with a getter that throws, rejects like any other bug of the host. */
const looking = <A, E>(look: () => Effect.Effect<A, E>): Effect.Effect<A, E> => {
  try {
    return look()
  } catch (thrown) {
    return Effect.die(thrown)
  }
}

/** As a template would write it; empty where an object refuses to be text. */
export const textOf = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return ""
  }
}

/** Reads one argument. */
const input = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const read = resultOf(schema)
  return (value: unknown) => looking(() => settle(read(value)))
}

/** Reads the query of a list; a cursor is judged together with the rest. */
const query = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, kind: CursorKind) => {
  const read = resultOf(schema)
  return (value: unknown = {}): Effect.Effect<S["Type"], ValidationFailed> =>
    looking(() => {
      const cursor: unknown = Object(value).cursor
      const judged = decodeCursor(kind, typeof cursor === "string" ? cursor : undefined)
      const faults = Effect.match(judged, { onSuccess: (): Faults => [], onFailure: ({ faults }) => faults })
      const found = read(value)
      return Effect.flatMap(faults, (more) => settle(found, more))
    })
}

/** Reads an id; what is no UUID is the id of nothing. */
const id = <Id extends string, E>(
  schema: Schema.ConstraintDecoder<Id> & { readonly make: (text: string) => Id },
  missing: (id: Id) => E
) => {
  const read = resultOf(schema)
  return (value: string): Effect.Effect<Id, E> =>
    looking(() =>
      Result.match(read(value), {
        onSuccess: (found) => Effect.succeed(found),
        onFailure: () => Effect.fail(missing(schema.make(textOf(value))))
      })
    )
}

export const organisationId = id(OrganisationId, (organisationId) => new OrganisationNotFound({ organisationId }))
export const siteId = id(SiteId, (siteId) => new SiteNotFound({ siteIds: [siteId] }))
export const portfolioId = id(PortfolioId, (portfolioId) => new PortfolioNotFound({ portfolioId }))
export const documentId = id(DocumentId, (documentId) => new DocumentNotFound({ documentId }))
export const apiKeyId = id(ApiKeyId, (apiKeyId) => new ApiKeyNotFound({ apiKeyId }))

export const createOrganisation = input(CreateOrganisation)
export const updateOrganisation = input(UpdateOrganisation)
export const listOrganisations = query(Schema.Struct(paging(maximumPageSize)), "organisations")

export const createSite = input(CreateSite)
export const updateSite = input(UpdateSite)
export const listSites = query(ListSites, "sites")

export const createPortfolio = input(CreatePortfolio)
export const createPortfolios = input(CreatePortfolios)
export const updatePortfolio = input(UpdatePortfolio)
export const listPortfolios = query(ListPortfolios, "portfolios")
export const listPortfoliosWithSites = query(ListPortfoliosWithSites, "portfolios")
export const siteIds = input(SiteIds)

export const issueUploads = input(IssueHostUploads)
export const changeDocumentStatus = input(ChangeDocumentStatus)
export const listDocuments = query(ListDocuments, "documents")

const parseDuration = Schema.decodeUnknownOption(Schema.DurationFromString)

const DurationText = Schema.String.check(
  Schema.makeFilter((text: string) => Option.isSome(parseDuration(text)), {
    message: "must be a duration such as 90 days",
    faultCode: "invalid_duration"
  })
).pipe(Schema.decodeTo(Schema.DurationFromString))

/** As text, to a duration that the schema lets pass. */
const durationText = (schema: Schema.Duration) => Schema.optionalKey(DurationText.pipe(Schema.decodeTo(schema)))

export const createApiKey = input(
  Schema.Struct({
    ...CreateApiKey.fields,
    expiresIn: durationText(CreateApiKey.fields.expiresIn.schema)
  })
)
export const listApiKeys = query(ListApiKeys, "api-keys")

const signal = Schema.optionalKey(Schema.Unknown)

const rotation = input(Schema.Struct({ signal, overlap: durationText(RotateApiKey.fields.overlap.schema) }))

export const rotateApiKey = (options: unknown = {}) => rotation(options)

const change = input(Schema.Struct({ signal, expectedVersion: Schema.optionalKey(Version) }))

/** The version that a change is bound to by its options. */
export const expectedVersions = (options: unknown = {}): Effect.Effect<ExpectedVersions, ValidationFailed> =>
  Effect.map(change(options), ({ expectedVersion }) => (expectedVersion === undefined ? undefined : [expectedVersion]))

const callerMembers = {
  organisationId: OrganisationId,
  userId: Schema.optionalKey(Caller.fields.userId),
  apiKeyId: Schema.optionalKey(Caller.fields.apiKeyId)
}

const readCaller = input(Schema.Struct(callerMembers))

/** What makes a caller of a host's user, who may have more members than these. */
const callerIn = (user: unknown): unknown =>
  typeof user !== "object" || user === null || Array.isArray(user)
    ? user
    : Object.fromEntries(Object.keys(callerMembers).map((name) => [name, Reflect.get(user, name)]))

// Said by whatever the caller is asked to do, where the fault could be taken for one of its input.
const ofTheCaller = ({ faults: [first, ...rest] }: ValidationFailed) => {
  const told = (fault: Fault): Fault => ({ ...fault, detail: `${fault.detail} (in the caller given to as)` })
  return new ValidationFailed({ faults: [told(first), ...rest.map(told)] })
}

export const caller = (value: unknown): Effect.Effect<Caller, ValidationFailed> =>
  looking(() => readCaller(callerIn(value))).pipe(
    Effect.map(
      ({ apiKeyId = null, organisationId, userId = null }) => new Caller({ organisationId, userId, apiKeyId })
    ),
    Effect.mapError(ofTheCaller)
  )
