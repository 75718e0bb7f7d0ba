/**
 * Flags and arguments of several commands. The schemas of core validate them, so
 * that faults read as over HTTP.
 */
import { ApiKeyId, ApiScope, apiScopes, faultsOf, Name, OrganisationId, PortfolioIds, UserId } from "@solar-sites/core"
import { Effect, Schema, SchemaTransformation } from "effect"
import { Argument, CliError, Flag } from "effect/cli"
import { domainOf, isDomain } from "../accounts/identity/LoginDomains.ts"
import { Role } from "../accounts/people/Role.ts"
import { AccountId, Email } from "../accounts/people/User.ts"

const decodedAs = <A>(what: string, schema: Schema.Codec<A, string>) => {
  const decode = Schema.decodeEffect(schema)
  return (text: string): Effect.Effect<A, CliError.ValidationError> =>
    Effect.mapError(
      decode(text),
      ({ issue }) => new CliError.ValidationError({ message: `${what} ${faultsOf(issue)[0].detail}.` })
    )
}

/** A flag with a value that a schema decodes. */
export const flag = <A>(
  name: string,
  metavar: string,
  description: string,
  schema: Schema.Codec<A, string>
): Flag.Flag<A> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.mapEffect(decodedAs(`--${name}`, schema))
  )

const id = <A>(description: string, schema: Schema.Codec<A, string>): Argument.Argument<A> =>
  Argument.String("ID").pipe(Argument.withDescription(description), Argument.mapEffect(decodedAs("ID", schema)))

/** A flag without a value. */
export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

export const json = toggle("json", "Print one JSON document and nothing else")

export const name = flag("name", "NAME", "A name of 1 to 200 characters", Name)

export const confirm = flag("confirm", "NAME", "The name of what is deleted, to confirm it", Name)

export const organisation = flag("organisation", "ID", "The organisation concerned", OrganisationId)

export const user = flag("user", "ID", "The user behind the key", UserId)

const KnownScope = Schema.String.check(
  Schema.makeFilter(Schema.is(ApiScope), {
    message: `must be a list of scopes, separated by commas; the scopes are ${apiScopes.join(", ")}`,
    faultCode: "invalid_value"
  })
).pipe(Schema.decodeTo(ApiScope))

export const scopes = flag(
  "scopes",
  "SCOPES",
  "What the key may do, such as sites:read,documents:read (default: everything)",
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.Array(KnownScope),
      SchemaTransformation.transform<ReadonlyArray<string>, string>({
        decode: (text) => text.split(",").map((scope) => scope.trim()),
        encode: (scopes) => scopes.join(",")
      })
    )
  )
)

const decodePortfolios = Schema.decodeEffect(PortfolioIds)

/** Repeated; without it there is no limit. */
export const portfolios = Flag.String("portfolio").pipe(
  Flag.withMetavar("ID"),
  Flag.withDescription("A portfolio to limit it to; repeat it for more (default: no limit)"),
  Flag.atLeast(0),
  Flag.mapEffect((ids) =>
    ids.length === 0
      ? Effect.succeed(null)
      : Effect.mapError(
          decodePortfolios(ids),
          ({ issue }) => new CliError.ValidationError({ message: `--portfolio ${faultsOf(issue)[0].detail}.` })
        )
  )
)

const domainsOf = (text: string): ReadonlyArray<string> =>
  text.trim() === "" ? [] : text.split(",").map((domain) => domainOf(domain))

/** Empty for none. */
export const domains = flag(
  "domains",
  "DOMAINS",
  'Domains with commas between them, such as example.com,example.org; "" for none',
  Schema.String.check(
    Schema.makeFilter((text: string) => domainsOf(text).every(isDomain), {
      message: "must be domains with commas between them, such as example.com,example.org"
    })
  ).pipe(
    Schema.decodeTo(
      Schema.Array(Schema.String),
      SchemaTransformation.transform<ReadonlyArray<string>, string>({
        decode: domainsOf,
        encode: (domains) => domains.join(",")
      })
    )
  )
)

export const organisationId = id("The id of the organisation", OrganisationId)

export const apiKeyId = id("The id of the key", ApiKeyId)

export const email = flag("email", "EMAIL", "The e-mail address to log in with", Email)

export const userId = id("The id of the user", AccountId)

const roleFault = { message: `must be one of ${Role.literals.join(", ")}`, faultCode: "invalid_value" } as const

const KnownRole = Schema.String.check(Schema.makeFilter(Schema.is(Role), roleFault)).pipe(Schema.decodeTo(Role))

export const role = Flag.withDefault(
  flag("role", "ROLE", "owner, admin, member or viewer (default: owner)", KnownRole),
  "owner"
)

export const newRole = Argument.String("ROLE").pipe(
  Argument.withDescription("owner, admin, member or viewer"),
  Argument.mapEffect(decodedAs("ROLE", KnownRole))
)
