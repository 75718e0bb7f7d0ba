/**
 * `load → rule → commit`, repeated while the loaded records are stale.
 */
import { Clock, Effect, Result, Semaphore } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { RepositoryError } from "../persistence/RepositoryError.ts"
import { type Found, foundOf } from "./Found.ts"
import type { AnyKind, Change, Find, Stale, Stored } from "./RecordKind.ts"
import type { Records } from "./Records.ts"

/** No load and no commit begins later after the begin of the call. */
const limitMillis = 5_000
const maximumWaiting = 1_000

/**
 * What a rule decides: the answer of the call, and a change, or null when all values are as they should be.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decision<A> {
  readonly answer: A
  readonly change: Change | null
}

/**
 * One call. `rule` is a pure function; it is called again when its records were stale.
 *
 * @category models
 * @since 0.1.0
 */
export interface Command<A, Refusal, Known extends Found | null = Found> {
  readonly operation: string
  readonly organisationId: OrganisationId
  /** All records that the rule reads. */
  readonly finds: ReadonlyArray<Find>
  readonly rule: (found: Known) => Result.Result<Decision<A>, Refusal>
}

const overdue = (operation: string, reason: string) =>
  new RepositoryError({ operation, retryable: true, cause: new Error(reason) })

const stillStale = (operation: string, { conflict }: Stale) =>
  overdue(operation, `others changed the same records for ${limitMillis} ms: ${conflict}`)

/** The calls that change one record of an organisation, one after the other. */
interface Line {
  readonly turn: Semaphore.Semaphore
  calls: number
  /** The record that the last call committed, for the next one. */
  committed: Stored<object> | null
}

/**
 * Makes `create` and `update` over a store.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeDeciding = ({ commit, load }: Records["Service"]) => {
  /** `line` keeps the committed record for the next call. */
  const decide = Effect.fnUntraced(function* <A, Refusal, Known extends Found | null>(
    { finds, operation, organisationId, rule }: Command<A, Refusal, Known | Found>,
    begin: number,
    first: Known,
    line: Line | null
  ) {
    let found: Known | Found = first
    while (true) {
      const decided = rule(found)
      if (Result.isFailure(decided)) return yield* Effect.fail(decided.failure)
      const { answer, change } = decided.success
      if (change === null) return answer
      const outcome = yield* commit(operation, organisationId, change)
      if (outcome._tag === "Committed") {
        const [write] = change.writes
        const [revision = null] = outcome.revisions
        if (line !== null && write !== undefined && revision !== null)
          line.committed = { record: write.after, revision }
        return answer
      }
      if ((yield* Clock.currentTimeMillis) - begin >= limitMillis) return yield* stillStale(operation, outcome)
      found = yield* load(operation, organisationId, finds)
    }
  })

  /**
   * A command that stores new records. It is decided without a load, as if nothing stood against it. The
   * records are loaded only when something does.
   */
  const create = <A, Refusal>(
    command: Command<A, Refusal, Found | null>
  ): Effect.Effect<A, Refusal | RepositoryError> =>
    Effect.flatMap(Clock.currentTimeMillis, (begin) => decide(command, begin, null, null))

  const lines = new Map<string, Line>()

  /**
   * A command that changes one record. Calls of this process for the same record wait for each other, so that
   * none of them decides on a record that another one is about to change.
   */
  const update = Effect.fnUntraced(function* <A, Refusal>(
    kind: AnyKind,
    id: string,
    command: Command<A, Refusal>
  ): Effect.fn.Return<A, Refusal | RepositoryError> {
    const { finds, operation, organisationId } = command
    const begin = yield* Clock.currentTimeMillis
    const key = `${organisationId} ${kind.name} ${id}`
    const line = lines.get(key) ?? { turn: Semaphore.makeUnsafe(1), calls: 0, committed: null }
    if (line.calls >= maximumWaiting) return yield* overdue(operation, `${maximumWaiting} calls wait for the record`)
    lines.set(key, line)
    line.calls += 1

    const [only] = finds
    // The record of the last call is all that such a rule reads.
    const isAlone = only !== undefined && finds.length === 1 && only.kind === kind && only.by === "id"
    const turn = Effect.gen(function* () {
      if ((yield* Clock.currentTimeMillis) - begin >= limitMillis) {
        return yield* overdue(operation, `no turn within ${limitMillis} ms`)
      }
      const { committed } = line
      line.committed = null
      const first =
        isAlone && committed !== null
          ? foundOf([{ find: only, stored: [committed] }])
          : yield* load(operation, organisationId, finds)
      return yield* decide(command, begin, first, line)
    })
    const leave = Effect.sync(() => {
      line.calls -= 1
      if (line.calls === 0) lines.delete(key)
    })
    return yield* Effect.ensuring(line.turn.withPermit(turn), leave)
  })

  return { create, update }
}
