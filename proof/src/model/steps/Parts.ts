/**
 * Parts of generated steps.
 */
import * as fc from "fast-check"
import type { CallTemplate, Who } from "../CallTemplate.ts"
import { hasCsv } from "../Csv.ts"
import { isOfConsole, type OperationName } from "../operations.ts"
import type { IdToken, Kind } from "../Tokens.ts"

const first = { organisation: fc.nat(2), key: fc.constant(0) }
const anyKey = { ...first, key: fc.nat(5) }
export const withSession = fc.record({ ...first, session: fc.nat(7) })
export const visitor = fc.record({ ...first, odd: fc.constant("none" as const) })

const who: fc.Arbitrary<Who> = fc.oneof(
  { weight: 30, arbitrary: fc.record(first) },
  { weight: 8, arbitrary: fc.record(anyKey) },
  // A key that is limited to portfolios from the beginning.
  { weight: 15, arbitrary: fc.record({ ...first, key: fc.constant(2) }) },
  { weight: 8, arbitrary: withSession },
  { weight: 1, arbitrary: fc.record({ ...anyKey, odd: fc.constantFrom("none", "unknown", "malformed") }) }
)

const inConsole = fc.oneof({ weight: 20, arbitrary: withSession }, { weight: 1, arbitrary: visitor })

export const anId = (kind: Kind, own = 12): fc.Arbitrary<IdToken> =>
  fc.record({
    "@id": fc.constant(kind),
    of: fc.oneof(
      { weight: own, arbitrary: fc.constant("own" as const) },
      { weight: 3, arbitrary: fc.constant("foreign" as const) },
      { weight: 1, arbitrary: fc.constantFrom("gone" as const, "never" as const, "odd" as const) }
    ),
    n: fc.nat(11)
  })

/** A text with the marker of its organisation. */
export const marked = (...texts: ReadonlyArray<string>): fc.Arbitrary<unknown> =>
  fc.constantFrom(...texts).map((one) => ({ "@text": one }))

/** Mostly valid values. */
export const mostly = (valid: fc.Arbitrary<unknown>, ...faulty: ReadonlyArray<unknown>): fc.Arbitrary<unknown> =>
  faulty.length === 0
    ? valid
    : fc.oneof({ weight: 30, arbitrary: valid }, { weight: 1, arbitrary: fc.constantFrom(...faulty) })

/** An object with some of the members. */
export const some = (
  required: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  optional: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}
): fc.Arbitrary<Record<string, unknown>> => {
  const few = Object.entries(optional).map(([key, value]) => fc.tuple(fc.constant(key), value))
  const chosen: fc.Arbitrary<ReadonlyArray<readonly [string, unknown]>> =
    few.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...few), { maxLength: 4 })
  return fc
    .tuple(fc.record<Record<string, unknown>>(required), chosen)
    .map(([members, more]) => ({ ...members, ...Object.fromEntries(more) }))
}

const match = fc.option(fc.constantFrom("current" as const, "current" as const, "stale" as const), {
  nil: undefined,
  freq: 4
})
const idempotencyKey = fc.option(fc.constantFrom("first", "second", "third"), { nil: undefined, freq: 6 })

const accept = fc.option(mostly(fc.constant("text/csv" as const), "image/png" as const), { nil: undefined, freq: 3 })

const without = <A extends object>(members: A): A =>
  // The same members without those that are undefined.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as A

interface Parts {
  readonly ids?: ReadonlyArray<fc.Arbitrary<IdToken>>
  readonly query?: fc.Arbitrary<ReadonlyArray<readonly [string, unknown]>>
  readonly body?: fc.Arbitrary<unknown>
}

export interface NamedStep {
  readonly name: OperationName
  readonly arbitrary: fc.Arbitrary<CallTemplate>
}

export const step = (call: OperationName, { body, ids = [], query }: Parts = {}): NamedStep => ({
  name: call,
  arbitrary: fc
    .record({
      call: fc.constant(call),
      who: isOfConsole(call) ? inConsole : who,
      ids: fc.tuple(...ids),
      query: query ?? fc.constant(undefined),
      body: body ?? fc.constant(undefined),
      accept: hasCsv(call) ? accept : fc.constant(undefined),
      match: /^(update|delete|change|remove|replace)/.test(call) ? match : fc.constant(undefined),
      idempotencyKey: /^(create|bulk|add|issue|reissue|rotate)/.test(call) ? idempotencyKey : fc.constant(undefined)
    })
    .map((template) => without(template) as CallTemplate)
})

const limit = fc.option(mostly(fc.constantFrom("1", "1", "2", "50"), "0", "1001", "05", "x"), { nil: undefined })

/** Some parameters, most of them once, and mostly a limit. */
export const parameters = (
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>
): fc.Arbitrary<ReadonlyArray<readonly [string, unknown]>> => {
  const named = Object.entries(members).map(([key, value]) => fc.tuple(fc.constant(key), value))
  const few = named.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...named), { maxLength: 2 })
  return fc.tuple(few, limit).map(([some, most]) => (most === undefined ? some : [...some, ["limit", most] as const]))
}
