/**
 * Checks the scopes and the limit of the caller before a method of a rule service runs.
 */
import { Effect, type Schema, Stream } from "effect"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import { type ApiScope, ScopeMissing } from "./ApiScope.ts"
import { type Caller, CurrentCaller } from "./Caller.ts"
import type { Access, Operation } from "./Operation.ts"
import { CallerLimited, PortfolioRequired } from "./Reach.ts"

/** A caller may not do what it asks for. Nothing was read or changed. */
export type AccessRefused = ScopeMissing | CallerLimited | PortfolioRequired

type OrAccessRefused<Result> =
  Result extends Effect.Effect<infer A, infer E, infer R>
    ? [CurrentCaller] extends [R]
      ? Effect.Effect<A, E | AccessRefused, R>
      : Result
    : Result extends Stream.Stream<infer A, infer E, infer R>
      ? Stream.Stream<A, E | AccessRefused, R>
      : Result

/** The methods of a rule service, where those that need a caller can be refused. */
export type Guarded<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...input: infer Input) => infer Result
    ? (...input: Input) => OrAccessRefused<Result>
    : Methods[Name]
}

const none: ReadonlyArray<ApiScope> = []

const refusalOf = (
  { portfolioIds, scopes }: Caller,
  needed: ReadonlyArray<ApiScope>,
  limited: Operation["limited"],
  ofInput: () => PortfolioRequired | null
): AccessRefused | null => {
  const missing = scopes === undefined ? none : needed.filter((scope) => !scopes.includes(scope))
  if (missing.length > 0) return new ScopeMissing({ missing })
  if (portfolioIds === undefined) return null
  if (limited === "caller_limited") return new CallerLimited()
  return limited === "portfolio_required" ? new PortfolioRequired({ positions: [] }) : ofInput()
}

const orRefused = (refusal: AccessRefused | null): Effect.Effect<void, AccessRefused> =>
  refusal === null ? Effect.void : Effect.fail(refusal)

// The input is of the type of the operation, which the type of all operations cannot express.
const scopesOfInput = ({ scopesOf }: Access, { portfolioIds }: Caller, input: unknown): ReadonlyArray<ApiScope> =>
  scopesOf === undefined ? none : scopesOf(input as never, portfolioIds)

const limitedInputOf = ({ limitedInput }: Access, input: unknown): PortfolioRequired | null =>
  limitedInput === undefined ? null : limitedInput(input as never)

/** Fails when the caller may not call the operation with any input. */
export const requireAccess = (caller: Caller, { limited, scopes }: Access): Effect.Effect<void, AccessRefused> =>
  orRefused(refusalOf(caller, scopes, limited, () => null))

/** Fails when a caller that may call the operation may not do so with this input. */
export const requireAccessToInput = (
  caller: Caller,
  access: Access,
  input: unknown
): Effect.Effect<void, AccessRefused> =>
  orRefused(refusalOf(caller, scopesOfInput(access, caller, input), undefined, () => limitedInputOf(access, input)))

/** Refusals that every operation can have. */
type General = OrganisationNotFound | RepositoryError | AccessRefused | ValidationFailed | VersionMismatch

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

/** The methods, each behind the check of its access. A method that does not fit its row does not compile. */
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
    const { limited, names = [], scopes } = row
    return (...input: ReadonlyArray<unknown>): Result => {
      const result = call(...input)
      const checked = Effect.flatMap(CurrentCaller, (caller) => {
        if (caller.scopes === undefined && caller.portfolioIds === undefined) return Effect.void
        const given = input[names.length]
        const needed = [...scopes, ...scopesOfInput(row, caller, given)]
        return orRefused(refusalOf(caller, needed, limited, () => limitedInputOf(row, given)))
      })
      return Stream.isStream(result) ? Stream.unwrap(Effect.as(checked, result)) : Effect.andThen(checked, result)
    }
  }
  const pairs = Object.entries(rows).map(([name, row]) => [name, guard(row, Reflect.get(methods, name))])
  return Object.fromEntries(pairs)
}
