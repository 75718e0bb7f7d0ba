/** Organisations, O&M records and users of a host without Effect, as functions over plain objects. */
import { Effect, Layer, type Option, Schema } from "effect"
import { ApiKeyOwners } from "./api-keys/ApiKeyOwners.ts"
import { ApiScope } from "./caller/ApiScope.ts"
import { PortfolioId } from "./caller/PortfolioId.ts"
import { OmRecordDirectory } from "./documents/OmRecordDirectory.ts"
import { OrganisationRepository } from "./operators/OrganisationRepository.ts"
import { Organisation, OrganisationId, OrganisationStatus } from "./organisations/Organisation.ts"
import { RepositoryError } from "./repositories/RepositoryError.ts"

type Answer<A> = A | PromiseLike<A>

type HostOrganisation = typeof Organisation.Encoded

/**
 * Organisations of a host. An id is a UUID. A thrown error or a rejection is answered
 * with 503; a value that is no organisation is a bug, answered with 500.
 */
export interface HostOrganisationFunctions {
  /** The organisation, or null. */
  readonly findById: (organisationId: string) => Answer<HostOrganisation | null | undefined>
  /** At most `limit` organisations with an id greater than `after`, ordered by id. */
  readonly list: (page: {
    readonly after: string | null
    readonly limit: number
  }) => Answer<ReadonlyArray<HostOrganisation>>
  /** Sets the given members; the result, or null. Without it, `organisations.update` rejects. */
  readonly update?: (
    organisationId: string,
    changes: { readonly name?: string; readonly status?: "active" | "inactive" }
  ) => Answer<HostOrganisation | null | undefined>
  /** Stores a new organisation. Without it, `organisations.create` rejects. */
  readonly insert?: (organisation: HostOrganisation) => Answer<unknown>
  /** Removes the organisation, if it exists. Without it, `organisations.delete` rejects. */
  readonly delete?: (organisationId: string) => Answer<unknown>
}

/**
 * O&M records of a host. `exists` is true when the record belongs to this site of this
 * organisation. A thrown error or a rejection is answered with 503.
 */
export interface HostOmRecordFunctions {
  readonly exists: (organisationId: string, siteId: string, omRecordId: string) => Answer<boolean>
}

/**
 * Users of a host. `scopesOf` returns the scopes that a user has now: API keys that the user
 * created have no others, and those of a `deleted` user are invalid. Results are cached for at most
 * ten seconds. A thrown error or a rejection is answered with 503; an unknown scope is a bug,
 * answered with 500.
 */
export interface HostUserFunctions {
  readonly scopesOf: (organisationId: string, userId: string) => Answer<ReadonlyArray<string> | "all" | "deleted">
  /** The portfolios that the user is limited to now, and so keys that the user created; null without a limit. */
  readonly portfolioIdsOf?: (organisationId: string, userId: string) => Answer<ReadonlyArray<string> | null>
}

const asked = <A>(operation: string, ask: () => Answer<A>): Effect.Effect<A, RepositoryError> =>
  Effect.tryPromise({
    try: async () => ask(),
    catch: (cause) =>
      cause instanceof RepositoryError ? cause : new RepositoryError({ operation, retryable: true, cause })
  })

// A name is kept as the host has it; the schema of the model would trim it.
const decodeRow = Schema.decodeUnknownSync(
  Schema.Struct({ id: OrganisationId, name: Schema.String, status: OrganisationStatus })
)

const decode = (operation: string, given: unknown): Effect.Effect<Organisation, RepositoryError> =>
  Effect.try({
    try: () => new Organisation(decodeRow(given)),
    catch: (cause) => new RepositoryError({ operation, retryable: false, cause })
  })

const decodeFound = (operation: string, given: unknown): Effect.Effect<Option.Option<Organisation>, RepositoryError> =>
  given === null || given === undefined ? Effect.succeedNone : Effect.asSome(decode(operation, given))

const unsupported = (method: string) => Effect.die(new Error(`organisations: the host gives no function ${method}`))

const plain = ({ id, name, status }: Organisation): HostOrganisation => ({ id, name, status })

/** An `OrganisationRepository` over the functions, for `HostOrganisations.layer`. */
export const layerOrganisations = (host: HostOrganisationFunctions): Layer.Layer<OrganisationRepository> =>
  Layer.succeed(OrganisationRepository, {
    findById: (id) => {
      const operation = "OrganisationRepository.findById"
      return Effect.flatMap(
        asked(operation, () => host.findById(id)),
        (found) => decodeFound(operation, found)
      )
    },
    list: ({ after, limit }) => {
      const operation = "OrganisationRepository.list"
      // One more than asked for tells whether another page follows.
      return asked(operation, () => host.list({ after, limit: limit + 1 })).pipe(
        Effect.flatMap((found) => Effect.forEach(found, (one) => decode(operation, one))),
        Effect.map((items) => ({ items: items.slice(0, limit), hasMore: items.length > limit }))
      )
    },
    update: (id, { name, status }) => {
      const operation = "OrganisationRepository.update"
      const changes = { ...(name === undefined ? {} : { name }), ...(status === undefined ? {} : { status }) }
      if (host.update === undefined) return unsupported("update")
      return Effect.flatMap(
        asked(operation, () => host.update?.(id, changes)),
        (found) => decodeFound(operation, found)
      )
    },
    insert: (organisation) =>
      host.insert === undefined
        ? unsupported("insert")
        : Effect.asVoid(asked("OrganisationRepository.insert", () => host.insert?.(plain(organisation)))),
    delete: (id) =>
      host.delete === undefined
        ? unsupported("delete")
        : Effect.as(
            asked("OrganisationRepository.delete", () => host.delete?.(id)),
            true
          )
  })

/** An `OmRecordDirectory` over the function. */
export const layerOmRecords = (host: HostOmRecordFunctions): Layer.Layer<never> =>
  Layer.succeed(OmRecordDirectory, {
    exists: (...ids) =>
      Effect.map(
        asked("OmRecordDirectory.exists", () => host.exists(...ids)),
        (found) => found === true
      )
  })

const decodeScopes = Schema.decodeUnknownSync(
  Schema.Union([Schema.Literals(["all", "deleted"]), Schema.Array(ApiScope)])
)

const decodePortfolioIds = Schema.decodeUnknownSync(Schema.NullOr(Schema.Array(PortfolioId)))

const decodedAs = <A, Given>(
  operation: string,
  decode: (given: unknown) => A,
  ask: () => Answer<Given>
): Effect.Effect<A, RepositoryError> =>
  Effect.flatMap(asked(operation, ask), (given) =>
    Effect.try({
      try: () => decode(given),
      catch: (cause) => new RepositoryError({ operation, retryable: false, cause })
    })
  )

/** An `ApiKeyOwners` over the functions. */
export const layerUsers = ({ portfolioIdsOf = () => null, scopesOf }: HostUserFunctions): Layer.Layer<never> =>
  Layer.succeed(ApiKeyOwners, {
    scopesOf: (...ids) => decodedAs("ApiKeyOwners.scopesOf", decodeScopes, () => scopesOf(...ids)),
    portfolioIdsOf: (...ids) =>
      decodedAs("ApiKeyOwners.portfolioIdsOf", decodePortfolioIds, () => portfolioIdsOf(...ids))
  })
