/**
 * Batches for tests: a pool without a server, and statements that the test answers.
 */
import { type Duration, Effect } from "effect"
import { makeBatch } from "../src/client/PgBatch.ts"
import type { PgFailure } from "../src/client/PgErrors.ts"
import { makeExecutor } from "../src/client/PgExecutor.ts"
import type { PgPool } from "../src/client/PgPool.ts"
import type { PgRows } from "../src/client/PgStatement.ts"

interface Sent {
  readonly organisationId: string
  readonly items: string
  readonly answer: PromiseWithResolvers<PgRows>
}

/** Batches on a pool of this width. The test answers their statements. */
export const batches = (width: number, { readOnly = false, timeout = "1 minute" }: Settings = {}) => {
  const sent: Array<Sent> = []
  const abandoned: Array<number> = []
  const pool: PgPool = {
    width,
    roomToRead: width,
    send: ({ parameters: [organisationId, items] = [] }) => {
      const answer = Promise.withResolvers<PgRows>()
      const index = sent.push({ organisationId: String(organisationId), items: String(items), answer })
      return { rows: answer.promise, abandon: () => abandoned.push(index - 1) }
    }
  }
  const run = makeBatch(makeExecutor(pool, timeout), {
    operation: "test",
    text: "",
    readOnly,
    parameters: (items: ReadonlyArray<string>) => {
      if (items.includes(unwritable)) throw new TypeError()
      return [items.join(" ")]
    },
    decode: ([row]) => {
      const answer: unknown = row?.[0]
      if (answer === unreadable) throw new SyntaxError()
      return answer
    }
  })
  const store = (item: string, { group = "", organisation = "one" } = {}) =>
    Effect.forkChild(run(organisation, group, item), { startImmediately: true })
  const texts = () => sent.map(({ items, organisationId }) => `${organisationId}: ${items}`)
  const settle = (index: number, how: (answer: Sent["answer"]) => void) =>
    Effect.andThen(
      Effect.sync(() => {
        const statement = sent[index]
        if (statement === undefined) throw new Error(`there is no statement ${index}`)
        how(statement.answer)
      }),
      turn
    )
  return {
    store,
    texts,
    abandoned,
    answer: (index: number, answer: unknown = `${index}`) => settle(index, ({ resolve }) => resolve([[answer]])),
    refuse: (index: number, failure: PgFailure) => settle(index, ({ reject }) => reject(failure))
  }
}

interface Settings {
  readonly readOnly?: boolean
  readonly timeout?: Duration.Input
}

/** An item that cannot be a parameter. */
export const unwritable = "unwritable"

/** An answer that cannot be decoded. */
export const unreadable = Symbol("unreadable")

/** Until all work of this turn of the event loop, and its consequences, are done. */
export const turn = Effect.promise(async () => {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
})
