/**
 * How the cases state what they expect of refusals, pages and races.
 */
import type { Page, PageRequest } from "@solar-sites/core"
import { Cause, Effect, Exit, Option, Result } from "effect"
import { assert, shown } from "./Assert.ts"

/** Runs the effect, which must be refused in this way, and answers the refusal. */
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

/** What became of an effect, in words. */
const outcome = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isSuccess(exit) ? `success with ${shown(exit.value)}` : Cause.pretty(exit.cause)

/** Runs the effect, which must fail in whatever way. */
export const failed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>, promise: string) {
  const exit = yield* Effect.exit(effect)
  if (Exit.isSuccess(exit)) assert.fail(`${promise}\nexpected: a failure\nactual: ${outcome(exit)}`)
})

/** Runs both at the same time; each may be refused. */
export const race = <A, E, R, A2, E2, R2>(first: Effect.Effect<A, E, R>, second: Effect.Effect<A2, E2, R2>) =>
  Effect.all([Effect.result(first), Effect.result(second)], { concurrency: "unbounded" })

/** Tells whether the effect succeeded. If it did not, it must have been refused in this way. */
export const succeededOrRefused = (
  result: Result.Result<unknown, unknown>,
  refusal: abstract new (...fields: never) => unknown,
  promise: string
): boolean => {
  if (Result.isSuccess(result)) return true
  if (result.failure instanceof refusal) return false
  return assert.fail(`${promise}\nexpected: success or ${refusal.name}\nactual: ${shown(result.failure)}`)
}

/** What an effect answered that must succeed, whatever else happens at the same time. */
export const succeeded = <A>(result: Result.Result<A, unknown>, promise: string): A =>
  Result.isSuccess(result)
    ? result.success
    : assert.fail(`${promise}\nexpected: success\nactual: ${shown(result.failure)}`)

/** Races are lost by chance, so a case tries each of them several times. */
export const repeatedly = <A, E, R>(round: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: 5 }), () => round, { discard: true })

/** All pages from the given place on. Fails where a page says something else than the next one shows. */
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

/** The items in runs of at most `limit`: the pages they should come in. */
export const chunksOf = <Item>(items: ReadonlyArray<Item>, limit: number): ReadonlyArray<ReadonlyArray<Item>> => {
  const pages: Array<ReadonlyArray<Item>> = []
  for (let start = 0; start === 0 || start < items.length; start += limit) {
    pages.push(items.slice(start, start + limit))
  }
  return pages
}

/** Walks with limits below, at and above the number of items, and asks for what follows the last. */
export const expectPages = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  fetch: (page: PageRequest<Item["id"]>) => Effect.Effect<Page<Item>, E, R>,
  expected: ReadonlyArray<Item>
) {
  for (const limit of [1, 2, 3, expected.length, expected.length + 1, 1_000]) {
    const pages = yield* fetchPages(fetch, limit)
    assert.deepEqual(pages, chunksOf(expected, limit), `the pages of ${limit} out of ${expected.length} items`)
  }
  const end = yield* fetch({ after: expected.at(-1)?.id ?? null, limit: 10 })
  assert.deepEqual(end, { items: [], hasMore: false }, "nothing follows the last item")
})
