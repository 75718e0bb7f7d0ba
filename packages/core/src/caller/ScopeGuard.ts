/**
 * Checks the scopes of the caller before a method of a rule service runs.
 */
import { Effect, type Schema, Stream } from "effect"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import { type ApiScope, ScopeMissing } from "./ApiScope.ts"
import { type Caller, CurrentCaller } from "./Caller.ts"
import type { Operation } from "./Operation.ts"

type OrScopeMissing<Result> =
  Result extends Effect.Effect<infer A, infer E, infer R>
    ? [CurrentCaller] extends [R]
      ? Effect.Effect<A, E | ScopeMissing, R>
      : Result
    : Result extends Stream.Stream<infer A, infer E, infer R>
      ? Stream.Stream<A, E | ScopeMissing, R>
      : Result

/** The methods of a rule service, where those that need a caller can be refused with `ScopeMissing`. */
export type Guarded<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...input: infer Input) => infer Result
    ? (...input: Input) => OrScopeMissing<Result>
    : Methods[Name]
}

type Scopes = Pick<Operation, "scopes" | "scopesOf">

const none: ReadonlyArray<ApiScope> = []

const missingOf = ({ scopes }: Caller, needed: ReadonlyArray<ApiScope>): ReadonlyArray<ApiScope> =>
  scopes === undefined ? none : needed.filter((scope) => !scopes.includes(scope))

const orMissing = (missing: ReadonlyArray<ApiScope>): Effect.Effect<void, ScopeMissing> =>
  missing.length === 0 ? Effect.void : Effect.fail(new ScopeMissing({ missing }))

/** Scopes of this input. It is of the type of the operation, which the type of all operations cannot express. */
const scopesOfInput = ({ scopesOf }: Scopes, input: unknown): ReadonlyArray<ApiScope> =>
  scopesOf === undefined ? none : scopesOf(input as never)

/** Fails when the caller lacks scopes that the operation needs for every input. */
export const requireScopes = (caller: Caller, { scopes }: Scopes): Effect.Effect<void, ScopeMissing> =>
  orMissing(missingOf(caller, scopes))

/**
 * Fails when the caller lacks scopes that the operation needs for this input beyond those of every
 * input.
 */
export const requireScopesOfInput = (
  caller: Caller,
  operation: Scopes,
  input: unknown
): Effect.Effect<void, ScopeMissing> => orMissing(missingOf(caller, scopesOfInput(operation, input)))

/** Refusals that every operation can have. */
type General = OrganisationNotFound | RepositoryError | ScopeMissing | ValidationFailed | VersionMismatch

type Refusal<Row extends Operation> = General | { readonly code: Row["refusals"][number] }

type Arguments<Row extends Operation> = [
  ...(Row extends { readonly names: infer Names extends ReadonlyArray<{ readonly schema: Schema.Top }> }
    ? { readonly [Index in keyof Names]: Names[Index]["schema"]["Type"] }
    : []),
  ...(Row extends { readonly input: infer Input extends Schema.Top } ? [input: Input["Type"]] : []),
  ...(Row extends { readonly version: unknown } ? [expectedVersions: ExpectedVersions] : [])
]

/** Fails with no refusal that its row does not list. */
type Method<Row extends Operation> = (
  ...input: Arguments<Row>
) => Row["kind"] extends "stream"
  ? Stream.Stream<unknown, Refusal<Row>, CurrentCaller>
  : Effect.Effect<unknown, Refusal<Row>, CurrentCaller>

type Result = Effect.Effect<unknown, unknown, CurrentCaller> | Stream.Stream<unknown, unknown, CurrentCaller>

/** The methods, each behind the check of its scopes. A method that does not fit its row does not compile. */
export const guarded = <
  const Rows extends Readonly<Record<string, Operation>>,
  Methods extends { readonly [Name in keyof Rows]: Method<Rows[Name]> }
>(
  rows: Rows,
  methods: Methods
): Guarded<Methods> => {
  const guard = (row: Operation, method: (...input: never) => Result) => {
    // The signature has checked each pair of row and method; a loop over all pairs cannot keep the types.
    const call = method as (...input: ReadonlyArray<unknown>) => Result
    const { names = [], scopes } = row
    return (...input: ReadonlyArray<unknown>): Result => {
      const result = call(...input)
      const checked = Effect.flatMap(CurrentCaller, (caller) => {
        if (caller.scopes === undefined) return Effect.void
        return orMissing(missingOf(caller, [...scopes, ...scopesOfInput(row, input[names.length])]))
      })
      return Stream.isStream(result) ? Stream.unwrap(Effect.as(checked, result)) : Effect.andThen(checked, result)
    }
  }
  const pairs = Object.entries(rows).map(([name, row]) => [name, guard(row, Reflect.get(methods, name))])
  return Object.fromEntries(pairs)
}
