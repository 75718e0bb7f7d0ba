/**
 * Checks the scopes of the caller before a method of a rule service runs.
 */
import { Effect, Stream } from "effect"
import { type ApiScope, ScopeMissing } from "./ApiScope.ts"
import { type Caller, CurrentCaller } from "./Caller.ts"
import type { NeededScopes } from "./NeededScopes.ts"

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

const none: ReadonlyArray<ApiScope> = []

const missingOf = ({ scopes }: Caller, needed: ReadonlyArray<ApiScope>): ReadonlyArray<ApiScope> =>
  scopes === undefined ? none : needed.filter((scope) => !scopes.includes(scope))

const orMissing = (missing: ReadonlyArray<ApiScope>): Effect.Effect<void, ScopeMissing> =>
  missing.length === 0 ? Effect.void : Effect.fail(new ScopeMissing({ missing }))

/** Fails when the caller lacks scopes that the operation needs for every input. */
export const requireScopes = (caller: Caller, { always }: NeededScopes): Effect.Effect<void, ScopeMissing> =>
  orMissing(missingOf(caller, always))

/**
 * Fails when the caller lacks scopes that the operation needs for this change beyond those of every
 * input.
 */
export const requireScopesOfChange = <Change>(
  caller: Caller,
  { byChange }: NeededScopes<Change>,
  change: Change
): Effect.Effect<void, ScopeMissing> => orMissing(byChange === undefined ? none : missingOf(caller, byChange(change)))

type Result = Effect.Effect<unknown, unknown, CurrentCaller> | Stream.Stream<unknown, unknown, CurrentCaller>
type Methods = Readonly<Record<string, (...input: never) => Result>>

/** The change is the second argument, or the only one. */
type ChangeOf<Input extends ReadonlyArray<unknown>> = Input extends readonly [infer Only] ? Only : Input[1]

/** The methods, each behind the check of its scopes. A method without an entry does not compile. */
export const guarded = <Guards extends Methods>(
  needs: NoInfer<{ readonly [Name in keyof Guards]: NeededScopes<ChangeOf<Parameters<Guards[Name]>>> }>,
  methods: Guards
): Guarded<Guards> => {
  const guard = (needed: NeededScopes<unknown>, method: (...input: ReadonlyArray<unknown>) => Result) => {
    return (...input: ReadonlyArray<unknown>): Result => {
      const result = method(...input)
      const checked = Effect.flatMap(CurrentCaller, (caller) => {
        if (caller.scopes === undefined) return Effect.void
        const { always, byChange } = needed
        const ofChange = byChange === undefined ? none : byChange(input.length > 1 ? input[1] : input[0])
        return orMissing(missingOf(caller, [...always, ...ofChange]))
      })
      return Stream.isStream(result) ? Stream.unwrap(Effect.as(checked, result)) : Effect.andThen(checked, result)
    }
  }
  // The signature has checked each pair of entry and method; a loop over all pairs cannot keep the types.
  const pairs = Object.entries(methods).map(([name, method]) => [name, guard(needs[name] as never, method as never)])
  return Object.fromEntries(pairs)
}
