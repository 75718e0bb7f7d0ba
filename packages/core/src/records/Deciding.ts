/**
 * `load → rule → commit`, repeated while the loaded records are stale.
 */
import { Clock, type DateTime, Effect, Result, Semaphore } from "effect"
import { reachIn } from "../caller/Reach.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { RepositoryError } from "../repositories/RepositoryError.ts"
import { type Found, foundOf, withObstacle } from "./Found.ts"
import type { AnyKind, Change, Committed, Find, NewEvent, Obstacle, Read, Stale, Stored, Write } from "./RecordKind.ts"
import type { LoadOptions, Records } from "./Records.ts"

/** No load and no commit begins later after the begin of the call. */
const limitMillis = 5_000
/** Calls of one process that change one record at a time, the waiting ones included. */
const maximumCalls = 1_000

/**
 * A change as a rule decides it. Every loaded record that it does not write has to be unchanged when it is
 * committed, except those with ids in `mayChange`. Records in `absent` have to be absent then.
 */
export interface DecidedChange {
  readonly writes: ReadonlyArray<Write>
  readonly events: ReadonlyArray<NewEvent>
  readonly origin: EventOrigin
  readonly at: DateTime.Utc
  readonly absent?: ReadonlyArray<{ readonly kind: AnyKind; readonly id: string }>
  readonly mayChange?: ReadonlyArray<string>
}

/**
 * Decision of a rule: the answer of the call, and a change; null when all values are as they should be.
 */
export interface Decision<A> {
  readonly answer: A
  readonly change: DecidedChange | null
}

/** One call. `rule` is a pure function; it is called again when its records were stale. */
export interface Command<A, Refusal> {
  readonly operation: string
  readonly organisationId: OrganisationId
  /** All records that the rule reads. */
  readonly finds: ReadonlyArray<Find>
  readonly options?: LoadOptions
  readonly rule: (found: Found) => Result.Result<Decision<A>, Refusal>
}

/**
 * The change with the reads that follow from what was loaded. References and unique values need none. A caller that is
 * limited to portfolios depends on where records belong, and so on all of them.
 */
const withReads = (
  { absent = [], at, events, mayChange = [], origin, writes }: DecidedChange,
  { answers }: Found,
  isLimited: boolean
): Change => {
  const weakened = isLimited ? [] : mayChange
  const reads = new Map<string, Read>()
  // Records of two kinds can have one id, such as a document and its file.
  const written = new Set(writes.map(({ id, kind }) => `${kind.name} ${id}`))
  for (const { find, stored } of answers) {
    if (find.kind.isExistence) continue
    for (const { record, revision } of stored) {
      const id = String(Reflect.get(record, "id"))
      const key = `${find.kind.name} ${id}`
      if (!written.has(key) && !weakened.includes(id)) reads.set(key, { kind: find.kind, id, revision })
    }
  }
  const missing = absent.map(({ id, kind }) => ({ kind, id, revision: null }))
  return { writes, reads: [...reads.values(), ...missing], events, origin, at }
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

/** Whether the current caller reaches a part of the organisation alone. */
const isLimited = (organisationId: OrganisationId): Effect.Effect<boolean> =>
  Effect.map(reachIn(organisationId), (reach) => typeof reach !== "string")

/** Makes `create` and `update` over a store. */
export const makeDeciding = ({ commit, load }: Pick<Records["Service"], "commit" | "load">) => {
  /**
   * `handed` is what the call before has committed, for a first decision without a load. Only a change is decided
   * on it, since its commit shows whether it still holds; anything else is decided on loaded records.
   */
  const decide = Effect.fnUntraced(function* <A, Refusal>(
    { finds, operation, options, organisationId, rule }: Command<A, Refusal>,
    begin: number,
    handed: Found | null,
    onCommitted: (change: Change, outcome: Committed) => void
  ) {
    let obstacle: Obstacle = {}
    const limited = yield* isLimited(organisationId)
    // The call before may have had a larger reach, and a commit does not check this one.
    let found = limited ? null : handed
    while (true) {
      const loaded: Found = found ?? (yield* load(operation, organisationId, finds, options))
      const known = withObstacle(loaded, obstacle)
      const decided = rule(known)
      if (Result.isFailure(decided) || decided.success.change === null) {
        if (found === null) return yield* Effect.fromResult(Result.map(decided, ({ answer }) => answer))
        found = null
        continue
      }
      const { answer, change: decidedChange } = decided.success
      const change = withReads(decidedChange, known, limited)
      const outcome = yield* commit(operation, organisationId, change)
      if (outcome._tag === "Committed") {
        onCommitted(change, outcome)
        return answer
      }
      if ((yield* Clock.currentTimeMillis) - begin >= limitMillis) return yield* stillStale(operation, outcome)
      found = null
      obstacle = outcome
    }
  })

  /**
   * A command that stores new records. `assumed` are the records as if nothing stood against it, on which it is
   * decided first. They are loaded only when something does, and always when `assumed` is null or the caller is limited
   * to portfolios.
   */
  const create = <A, Refusal>(
    command: Command<A, Refusal>,
    assumed: Found | null
  ): Effect.Effect<A, Refusal | RepositoryError> =>
    Effect.flatMap(Clock.currentTimeMillis, (begin) => decide(command, begin, assumed, () => {}))

  const lines = new Map<string, Line>()

  const join = (key: string): Line => {
    const line = lines.get(key) ?? { turn: Semaphore.makeUnsafe(1), calls: 0, committed: null }
    lines.set(key, line)
    line.calls += 1
    return line
  }

  const leave = (key: string, line: Line): void => {
    line.calls -= 1
    if (line.calls === 0) lines.delete(key)
  }

  /**
   * A command that changes one record. Calls of this process for the same record wait for each other, so that
   * none of them decides on a record that another one is about to change.
   */
  const update = <A, Refusal>(
    kind: AnyKind,
    id: string,
    command: Command<A, Refusal>
  ): Effect.Effect<A, Refusal | RepositoryError> => {
    const { finds, operation, organisationId } = command
    const [only] = finds
    // The record of the last call is all that such a rule reads.
    const isAlone =
      only !== undefined &&
      finds.length === 1 &&
      only.kind === kind &&
      only.by === "id" &&
      kind.computed === undefined &&
      command.options === undefined

    const takeTurn = Effect.fnUntraced(function* (line: Line, begin: number) {
      if ((yield* Clock.currentTimeMillis) - begin >= limitMillis) {
        return yield* overdue(operation, `no turn within ${limitMillis} ms`)
      }
      const { committed } = line
      line.committed = null
      const handed = isAlone && committed !== null ? foundOf([{ find: only, stored: [committed] }]) : null
      return yield* decide(command, begin, handed, ({ writes }, { revisions }) => {
        const index = writes.findIndex((write) => write.kind === kind && write.id === id)
        const [after, revision] = [writes[index]?.after, revisions[index]]
        if (after && revision) line.committed = { record: after, revision }
      })
    })

    const key = `${organisationId} ${kind.name} ${id}`
    return Effect.flatMap(Clock.currentTimeMillis, (begin) =>
      Effect.acquireUseRelease(
        Effect.sync(() => join(key)),
        (line) =>
          line.calls > maximumCalls
            ? Effect.fail(overdue(operation, `${maximumCalls} calls change the record already`))
            : line.turn.withPermit(takeTurn(line, begin)),
        (line) => Effect.sync(() => leave(key, line))
      )
    )
  }

  return { create, update }
}
