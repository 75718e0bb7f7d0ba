/**
 * Expectations about refusals, pages and races.
 */
import type { Page, PageRequest } from "@solar-sites/core"
import { Cause, Effect, Exit, Option, Result } from "effect"
import { assert, shown } from "./Assert.ts"

/** Expects this refusal and returns it. */
export const refused = Effect.fnUntraced(function* <A, E, R, Refusal>(
  effect: Effect.Effect<A, E, R>,
  refusal: abstract new (...fields: never) => Refusal,
  promise: string
) {
  const exit = yield* Effect.exit(effect)
  const failure = Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : Option.none()
  if (Option.isSome(failure) && failure.value instanceof refusal) return failure.value
  return assert.fail(`${promise}\nexpected: ${refusal.name}\nactual: ${outcome(exit)}`)
})

/** Outcome of an effect as text. */
const outcome = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isSuccess(exit) ? `success with ${shown(exit.value)}` : Cause.pretty(exit.cause)

/** Expects any failure. */
export const failed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>, promise: string) {
  const exit = yield* Effect.exit(effect)
  if (Exit.isSuccess(exit)) assert.fail(`${promise}\nexpected: a failure\nactual: ${outcome(exit)}`)
})

/** Runs both concurrently; each may be refused. */
export const race = <A, E, R, A2, E2, R2>(first: Effect.Effect<A, E, R>, second: Effect.Effect<A2, E2, R2>) =>
  Effect.all([Effect.result(first), Effect.result(second)], { concurrency: "unbounded" })

/** True when the effect succeeded. Otherwise it must have failed with this refusal. */
export const succeededOrRefused = (
  result: Result.Result<unknown, unknown>,
  refusal: abstract new (...fields: never) => unknown,
  promise: string
): boolean => {
  if (Result.isSuccess(result)) return true
  if (result.failure instanceof refusal) return false
  return assert.fail(`${promise}\nexpected: success or ${refusal.name}\nactual: ${shown(result.failure)}`)
}

/** Expects success and returns the value. */
export const succeeded = <A>(result: Result.Result<A, unknown>, promise: string): A =>
  Result.isSuccess(result)
    ? result.success
    : assert.fail(`${promise}\nexpected: success\nactual: ${shown(result.failure)}`)

/** Runs a race three times, because its outcome depends on timing. */
export const repeatedly = <A, E, R>(round: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: 3 }), () => round, { discard: true })

/** All pages after `start`. Fails when `hasMore` contradicts the next page. */
export const fetchPages = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  fetch: (page: PageRequest<Item["id"]>) => Effect.Effect<Page<Item>, E, R>,
  limit: number,
  start: Item["id"] | null = null
) {
  const pages: Array<ReadonlyArray<Item>> = []
  let after: Item["id"] | null = start
  while (true) {
    const { hasMore, items } = yield* fetch({ after, limit })
    assert.ok(items.length <= limit, `a page holds at most ${limit} items, not ${items.length}`)
    if (pages.length > 0) assert.notEqual(items.length, 0, "hasMore is true only when something follows")
    for (const { id } of items) {
      assert.ok(after === null || id > after, `ids ascend and follow what was seen, not ${id} after ${after}`)
      after = id
    }
    pages.push(items)
    if (!hasMore) return pages
    assert.equal(items.length, limit, "a page that is not the last one is full")
  }
})

/** The items in chunks of at most `limit`: the expected pages. */
export const chunksOf = <Item>(items: ReadonlyArray<Item>, limit: number): ReadonlyArray<ReadonlyArray<Item>> => {
  const pages: Array<ReadonlyArray<Item>> = []
  for (let start = 0; start === 0 || start < items.length; start += limit) {
    pages.push(items.slice(start, start + limit))
  }
  return pages
}

/**
 * Expects the items in pages of several sizes, below, at and above their number, and an empty page
 * at the end.
 */
export const expectPages = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  fetch: (page: PageRequest<Item["id"]>) => Effect.Effect<Page<Item>, E, R>,
  expected: ReadonlyArray<Item>
) {
  for (const limit of new Set([1, 2, 3, Math.max(1, expected.length), expected.length + 1, 1_000])) {
    const pages = yield* fetchPages(fetch, limit)
    assert.deepEqual(pages, chunksOf(expected, limit), `the pages of ${limit} out of ${expected.length} items`)
  }
  const end = yield* fetch({ after: expected.at(-1)?.id ?? null, limit: 10 })
  assert.deepEqual(end, { items: [], hasMore: false }, "nothing follows the last item")
})
