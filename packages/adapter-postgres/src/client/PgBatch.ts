/**
 * One statement for all that came in one turn of the event loop or while it
 * waited for a connection, as databases themselves write to disk together what
 * several transactions have committed. Under load the message, the wake of the
 * server and the commit are shared by many; without load there is nobody to
 * share with, and nothing waits.
 */
import { type Context, Effect } from "effect"
import type { PgSql } from "./PgDriver.ts"
import { isRefused, isRolledBack, type PgFailure, toFailure } from "./PgErrors.ts"
import { executing, type PgSource } from "./PgSource.ts"
import type { PgTurnstile } from "./PgTurnstile.ts"
import { attempts, type PgWaiter, waiting } from "./PgWaiting.ts"

/** Bounds how long one statement takes, and so how long others wait for it. */
const most = 100

// Of the platform, whatever clock the tests of a host put in its place later.
const { setImmediate: atEndOfTurn } = globalThis

/** `send` treats items of one organisation, and answers something that holds for each of them. */
interface Statement<Item, Answer> {
  readonly send: (client: PgSql, organisationId: string, items: ReadonlyArray<Item>) => PromiseLike<Answer>
  /** As of a `PgTask`. */
  readonly onlyReads: boolean
}

/** Somebody who waits for the answer to an item. */
interface Entry<Item, Answer> {
  readonly item: Item
  readonly waiter: PgWaiter<Answer>
  readonly mayRepeat: ReturnType<typeof attempts>
  batch: Batch<Item, Answer>
}

interface Batch<Item, Answer> {
  readonly organisationId: string
  /** Never the same for two organisations. */
  readonly key: string
  readonly entries: Array<Entry<Item, Answer>>
  hasBegun: boolean
  leave: () => void
  giveUp: () => void
}

const newBatch = <Item, Answer>(organisationId: string, key: string): Batch<Item, Answer> => ({
  organisationId,
  key,
  entries: [],
  hasBegun: false,
  leave: () => {},
  giveUp: () => {}
})

/** The statements under one text, and who may share one. */
const makeBatches = <Item, Answer>(source: PgSource, enter: PgTurnstile, statement: Statement<Item, Answer>) => {
  /** What has not begun, and may be joined. */
  const open = new Map<string, Batch<Item, Answer>>()

  const close = (batch: Batch<Item, Answer>): void => {
    if (open.get(batch.key) === batch) open.delete(batch.key)
  }

  const add = (batch: Batch<Item, Answer>, entry: Entry<Item, Answer>): void => {
    batch.entries.push(entry)
    entry.batch = batch
  }

  const begin = (batch: Batch<Item, Answer>, context: Context.Context<never>): void => {
    const { entries, organisationId } = batch
    if (entries.length === 0) return
    const { giveUp, run } = executing(source, statement.onlyReads, (client) => {
      batch.hasBegun = true
      close(batch)
      return statement.send(
        client,
        organisationId,
        entries.map(({ item }) => item)
      )
    })
    const onSuccess = (answer: Answer): void => {
      for (const { waiter } of entries) waiter.end(Effect.succeed(answer))
    }
    const onFailure = (cause: unknown): void => {
      const failure = toFailure(cause)
      // What one of them is refused for is no matter of the others, nor is one that cannot be read.
      const isOfOne = isRefused(failure) || (statement.onlyReads && failure.code === undefined)
      const nothingHappened = entries.length > 1 ? isOfOne : isRolledBack(failure)
      for (const entry of entries) {
        if (entry.waiter.isOver()) continue
        if (entry.mayRepeat(failure, nothingHappened)) repeatAlone(entry, context)
        else entry.waiter.end(Effect.fail(failure))
      }
    }
    batch.giveUp = giveUp
    batch.leave = enter({ run, onlyReads: statement.onlyReads, onSuccess, onFailure }, context)
  }

  const repeatAlone = (entry: Entry<Item, Answer>, context: Context.Context<never>): void => {
    const { key, organisationId } = entry.batch
    const batch = newBatch<Item, Answer>(organisationId, key)
    add(batch, entry)
    begin(batch, context)
  }

  const join = (organisationId: string, group: string, context: Context.Context<never>): Batch<Item, Answer> => {
    const key = JSON.stringify([organisationId, group])
    const waiting = open.get(key)
    if (waiting !== undefined && waiting.entries.length < most) return waiting
    const batch = newBatch<Item, Answer>(organisationId, key)
    open.set(key, batch)
    atEndOfTurn(() => begin(batch, context))
    return batch
  }

  /** Nothing is left behind of what has not begun. */
  const withdraw = (entry: Entry<Item, Answer>): void => {
    const { batch } = entry
    if (batch.hasBegun) return
    batch.entries.splice(batch.entries.indexOf(entry), 1)
    if (batch.entries.length > 0) return
    close(batch)
    batch.leave()
  }

  return { add, join, withdraw }
}

/**
 * Only items of one organisation and one group share a statement. A group are
 * those that wait for the same rows, so that none is held up by what concerns
 * another one only. What is refused together is tried again item by item.
 */
export const makeBatched =
  (source: PgSource, enter: PgTurnstile) =>
  <Item, Answer>(statement: Statement<Item, Answer>) => {
    const { add, join, withdraw } = makeBatches(source, enter, statement)

    return (
      organisationId: string,
      group: string,
      item: Item,
      timeoutMillis: number
    ): Effect.Effect<Answer, PgFailure> =>
      waiting(timeoutMillis, (waiter, context) => {
        const batch = join(organisationId, group, context)
        const entry: Entry<Item, Answer> = { item, waiter, mayRepeat: attempts(statement.onlyReads), batch }
        add(batch, entry)
        return { leave: () => withdraw(entry), giveUp: () => entry.batch.giveUp() }
      })
  }
