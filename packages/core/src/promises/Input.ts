/**
 * Decodes the arguments of promises with the schemas of the models: all faults at once, unknown
 * members refused. Arguments are decoded when the promise is called, so later changes to them have
 * no effect.
 */
import { Effect, Exit, Option, Result, Schema, SchemaParser } from "effect"
import { RotateApiKey } from "../api-keys/ApiKey.ts"
import { ApiKeyNotFound } from "../api-keys/ApiKeyErrors.ts"
import { ApiKeyId, Caller } from "../caller/Caller.ts"
import type { Named, Operation } from "../caller/Operation.ts"
import { type InvalidFilename, refusalOf } from "../documents/DocumentErrors.ts"
import { type Fault, faultsOf, ValidationFailed } from "../input/ValidationFailed.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { ExpectedVersions } from "../versions/Version.ts"

/** Decoder of one argument. `inOptions`: of the options, which follow all other arguments. */
export interface Argument<out A, out E = Refusal> {
  readonly decode: (value: unknown) => Exit.Exit<A, E>
  readonly inOptions?: boolean
}

// No input is deeper or wider. Objects of the application may be, or may contain themselves.
const maximumDepth = 8
const maximumWidth = 1_000

/** Removes members that are undefined, as JSON does. */
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

type Faults = ValidationFailed["faults"]

const decoderOf = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = SchemaParser.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (value: unknown): Result.Result<S["Type"], Faults> => Result.mapError(decode(present(value)), faultsOf)
}

type Refusal = ValidationFailed | InvalidFilename

const settle = <A>(decoded: Result.Result<A, Faults>): Exit.Exit<A, Refusal> =>
  Result.isSuccess(decoded) ? Exit.succeed(decoded.success) : Exit.fail(refusalOf(decoded.failure))

/** An exception of the application's object, such as one of a getter, is a defect. */
const orDefect = <A, E>(decode: () => Exit.Exit<A, E>): Exit.Exit<A, E> => {
  try {
    return decode()
  } catch (thrown) {
    return Exit.die(thrown)
  }
}

/** `String(value)`; empty for an object without a text form. */
export const textOf = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return ""
  }
}

export const input = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Argument<S["Type"]> => {
  const decode = decoderOf(schema)
  return { decode: (value) => orDefect(() => settle(decode(value))) }
}

/** Query of a list, `{}` by default. */
export const query = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Argument<S["Type"]> => {
  const { decode } = input(schema)
  return { decode: (value = {}) => decode(value) }
}

/** A value that is no UUID is the id of nothing: it fails as `missing`. */
const id = <Id extends string, E>({
  missing,
  schema
}: {
  readonly schema: Schema.ConstraintDecoder<Id> & { readonly make: (text: string) => Id }
  readonly missing: (id: Id) => E
}): Argument<Id, E> => {
  const decode = decoderOf(schema)
  return {
    decode: (value) =>
      orDefect(() =>
        Result.match(decode(value), {
          onSuccess: (found) => Exit.succeed(found),
          onFailure: () => Exit.fail(missing(schema.make(textOf(value))))
        })
      )
  }
}

export const organisationId = id({
  schema: OrganisationId,
  missing: (organisationId) => new OrganisationNotFound({ organisationId })
})
export const apiKeyId = id({ schema: ApiKeyId, missing: (apiKeyId) => new ApiKeyNotFound({ apiKeyId }) })

/** Options of a call, `{}` by default. */
const options = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Argument<S["Type"]> => {
  const { decode } = input(schema)
  return { inOptions: true, decode: (value = {}) => decode(value) }
}

// Read by the runner.
const signal = Schema.optionalKey(Schema.Unknown)

const expected = (version: Schema.Codec<number>): Argument<ExpectedVersions> => {
  const { decode } = options(Schema.Struct({ signal, expectedVersion: Schema.optionalKey(version) }))
  return {
    inOptions: true,
    decode: (value) =>
      Exit.map(decode(value), ({ expectedVersion }) => (expectedVersion === undefined ? undefined : [expectedVersion]))
  }
}

/** The arguments of an operation. */
export const argumentsOf = ({
  input: schema,
  kind,
  names = [],
  version
}: Operation): ReadonlyArray<Argument<unknown, unknown>> => [
  // The schema of a name has decoded the id that `missing` takes.
  ...names.map(({ missing, schema }: Named) => id({ schema, missing: missing as (id: string) => unknown })),
  ...(schema === undefined ? [] : [kind === "write" ? input(schema) : query(schema)]),
  ...(version === undefined ? [] : [expected(version)])
]

const parseDuration = Schema.decodeUnknownOption(Schema.DurationFromString)

const DurationText = Schema.String.check(
  Schema.makeFilter((text: string) => Option.isSome(parseDuration(text)), {
    message: "must be a duration such as 90 days",
    faultCode: "invalid_duration"
  })
).pipe(Schema.decodeTo(Schema.DurationFromString))

/** Text such as `90 days`, decoded to a duration that the schema accepts. */
export const durationText = (schema: Schema.Duration) => Schema.optionalKey(DurationText.pipe(Schema.decodeTo(schema)))

/** The option `overlap`. */
export const rotation: Argument<RotateApiKey> = options(
  Schema.Struct({ signal, overlap: durationText(RotateApiKey.fields.overlap.schema) })
)

const callerMembers = {
  organisationId: OrganisationId,
  userId: Schema.optionalKey(Caller.fields.userId),
  apiKeyId: Schema.optionalKey(Caller.fields.apiKeyId),
  keyPrefix: Caller.fields.keyPrefix,
  scopes: Caller.fields.scopes,
  portfolioIds: Caller.fields.portfolioIds
}

const callerInput = input(Schema.Struct(callerMembers))

/** The members of a caller. A user object of the application may have others, which are not read. */
const callerIn = (user: unknown): unknown =>
  typeof user !== "object" || user === null || Array.isArray(user)
    ? user
    : Object.fromEntries(Object.keys(callerMembers).map((name) => [name, Reflect.get(user, name)]))

// Every promise of the caller reports these faults, so the text tells them from faults of its own input.
const inCaller = ({ faults: [first, ...rest] }: Refusal) => {
  const detailed = (fault: Fault): Fault => ({ ...fault, detail: `${fault.detail} (in the caller given to as)` })
  return new ValidationFailed({ faults: [detailed(first), ...rest.map(detailed)] })
}

export const caller = (value: unknown): Effect.Effect<Caller, ValidationFailed> =>
  orDefect(() => callerInput.decode(callerIn(value))).pipe(
    Effect.map(
      ({ apiKeyId = null, organisationId, userId = null, ...key }) =>
        new Caller({ organisationId, userId, apiKeyId, ...key })
    ),
    Effect.mapError(inCaller)
  )
