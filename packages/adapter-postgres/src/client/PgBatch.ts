/**
 * Batches, as DataLoader makes them: items that come in one turn of the event
 * loop, or while their batch waits for a connection, share one statement. Under
 * load they share its message, the wake of the server and the commit. Without
 * load nothing waits for further items.
 *
 * Only items of one reach and one group share a statement. A group holds
 * the items that wait for the same locks, so that no item waits for the locks of
 * another group.
 *
 * Writes of one organisation commit one after the other (decision 27). Of one group
 * one statement that writes is under way; the next batch grows meanwhile.
 */
import { type Context, Effect } from "effect"
import { isRefused, isRolledBack, type PgFailure, toFailure } from "./PgErrors.ts"
import { makeRetries, type PgCall, type PgExecutor, toError } from "./PgExecutor.ts"
import { type OwnScope, type PgBatchedStatement, type PgReach, type PgRows, scopeOf } from "./PgStatement.ts"

/** Bounds the time of one statement, and so the wait of others. */
const maximumItems = 100

// The original, which a fake clock in the tests of a host does not replace.
const { setImmediate: atEndOfTurn } = globalThis

/** An item, and the call that waits for its answer. */
interface Entry<Item, Answer> {
  readonly item: Item
  readonly call: PgCall<Answer>
  readonly mayRetry: ReturnType<typeof makeRetries>
  batch: Batch<Item, Answer>
}

interface Batch<Item, Answer> {
  readonly scope: OwnScope
  /** Differs between any two organisations, portfolios or groups. */
  readonly key: string
  readonly entries: Array<Entry<Item, Answer>>
  isSent: boolean
  cancel: () => void
}

/** A batched statement, as a function of one item. */
export const makeBatch = <Item, Answer>(
  { submit, withDeadline }: PgExecutor,
  { decode, operation, parameters: parametersOf, readOnly, text }: PgBatchedStatement<Item, Answer>
) => {
  /** Batches that can be joined. */
  const open = new Map<string, Batch<Item, Answer>>()

  const close = (batch: Batch<Item, Answer>): void => {
    if (open.get(batch.key) === batch) open.delete(batch.key)
  }

  /** Batches that wait for the statement under way, by key. Writes only. */
  const writes = new Map<string, Array<() => void>>()

  /** Submits a batch once no other one of its key is under way. */
  const enqueue = (batch: Batch<Item, Answer>, context: Context.Context<never>): void => {
    const { key } = batch
    const onEnd = (): void => {
      const next = writes.get(key)?.shift()
      if (next === undefined) writes.delete(key)
      else next()
    }
    const start = (): void => submitBatch(batch, context, onEnd)
    const waiting = writes.get(key)
    if (waiting !== undefined) {
      waiting.push(start)
      return
    }
    writes.set(key, [])
    start()
  }

  /** `onEnd` is called once, when the statement has ended or is not sent. */
  const submitBatch = (batch: Batch<Item, Answer>, context: Context.Context<never>, onEnd = () => {}): void => {
    const { entries, scope } = batch
    if (entries.length === 0) {
      onEnd()
      return
    }

    const onFailure = (failure: PgFailure): void => {
      // The server refuses a batch, or its answer cannot be read, because of one item.
      const isOfOneItem = isRefused(failure) || (readOnly && failure.code === undefined)
      const nothingHappened = entries.length > 1 ? isOfOneItem : isRolledBack(failure)
      for (const entry of entries) {
        if (entry.call.isSettled()) continue
        if (entry.mayRetry(failure, nothingHappened)) submitAlone(entry, context)
        else entry.call.settle(toError(operation, failure))
      }
    }

    const onSuccess = (rows: PgRows): void => {
      try {
        const answer = Effect.succeed(decode(rows))
        for (const { call } of entries) call.settle(answer)
      } catch (cause) {
        onFailure(toFailure(cause))
      }
    }

    const statement = () => {
      batch.isSent = true
      close(batch)
      const parameters = [scope.organisationId, ...parametersOf(entries.map(({ item }) => item))]
      return { operation, text, parameters, readOnly, scope }
    }
    const ending =
      <A>(settle: (outcome: A) => void) =>
      (outcome: A) => {
        onEnd()
        settle(outcome)
      }
    const task = { readOnly, statement, onSuccess: ending(onSuccess), onFailure: ending(onFailure) }
    const cancelTask = submit(task, context)
    batch.cancel = () => {
      cancelTask()
      if (!batch.isSent) onEnd()
    }
  }

  const newBatch = (scope: OwnScope, key: string): Batch<Item, Answer> => ({
    scope,
    key,
    entries: [],
    isSent: false,
    cancel: () => {}
  })

  const submitAlone = (entry: Entry<Item, Answer>, context: Context.Context<never>): void => {
    const { key, scope } = entry.batch
    entry.batch = newBatch(scope, key)
    entry.batch.entries.push(entry)
    submitBatch(entry.batch, context)
  }

  const openBatch = (reach: PgReach, group: string, context: Context.Context<never>): Batch<Item, Answer> => {
    const key = JSON.stringify([reach, group])
    const known = open.get(key)
    if (known !== undefined && known.entries.length < maximumItems) return known
    const batch = newBatch(scopeOf(reach), key)
    open.set(key, batch)
    atEndOfTurn(() => (readOnly ? submitBatch(batch, context) : enqueue(batch, context)))
    return batch
  }

  /** Takes an entry out of a batch that is not sent. Of a sent one the answer is abandoned. */
  const cancel = (entry: Entry<Item, Answer>): void => {
    const { batch } = entry
    if (!batch.isSent) {
      batch.entries.splice(batch.entries.indexOf(entry), 1)
      if (batch.entries.length > 0) return
      close(batch)
    }
    batch.cancel()
  }

  return (reach: PgReach, group: string, item: Item) =>
    withDeadline<Answer>(operation, undefined, (call, context) => {
      const batch = openBatch(reach, group, context)
      const entry: Entry<Item, Answer> = { item, call, mayRetry: makeRetries(readOnly), batch }
      batch.entries.push(entry)
      return () => cancel(entry)
    })
}
