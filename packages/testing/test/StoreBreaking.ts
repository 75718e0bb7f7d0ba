/**
 * Stores of records that are broken on purpose.
 */
import {
  type AnyKind,
  type Change,
  foundOf,
  type OrganisationId,
  type RecordKind,
  type Records,
  Stale,
  type Write
} from "@solar-sites/core"
import { Effect } from "effect"
import { withMembers } from "../src/conformance/RecordsSetup.ts"
import type { Database } from "./breaking.ts"
import { changing } from "./RecordsBreaking.ts"

type Service = Records["Service"]
type Broken = (intact: Service, database: Database) => Partial<Service>

/** Loads from all organisations, the others first. */
export const loadingEverywhere: Broken = ({ load }, database) => ({
  load: (operation, owner, finds, options) =>
    Effect.gen(function* () {
      const others = [...database.keys()].filter((id) => id !== owner)
      const found = yield* Effect.forEach([...others, owner], (each) => load(operation, each, finds, options))
      const { isFull, lastSequence } = yield* load(operation, owner, finds, options)
      const answers = finds.map((find, index) => ({
        find,
        stored: found.flatMap((each) => each.answers[index]?.stored ?? [])
      }))
      return { ...foundOf(answers), isFull, lastSequence }
    })
})

/** Loads the records of a kind with other members. */
export const loadingAs =
  <R extends { readonly id: string }>({ name }: RecordKind<R>, read: (record: R, database: Database) => R): Broken =>
  ({ load }, database) => ({
    load: (...asked) =>
      Effect.map(load(...asked), (found) => {
        const answers = found.answers.map(({ find, stored }) => ({
          find,
          // The record of a find of the kind is one of it.
          stored:
            find.kind.name === name
              ? stored.map((one) => ({ ...one, record: read(one.record as R, database) }))
              : stored
        }))
        return { ...foundOf(answers), isFull: found.isFull, lastSequence: found.lastSequence }
      })
  })

/** Stores the records of a kind with other members. */
export const storing = <R extends { readonly id: string }>(
  kind: RecordKind<R>,
  members: (after: R, before: R | null) => Partial<R>
): Broken =>
  changing(({ writes, ...change }) => ({
    ...change,
    writes: writes.map((write): Write => {
      if (write.kind.name !== kind.name || write.after === null) return write
      // The record of a write is one of its kind.
      const [after, before] = [write.after as R, (write.before?.record ?? null) as R | null]
      return {
        ...write,
        after: withMembers(after, members(after, before))
      }
    })
  }))

/** Commits the changes of records of a kind in every other organisation that has records of their ids. */
export const committingEverywhere =
  ({ name }: AnyKind): Broken =>
  ({ commit, load }, database) => {
    const repeat = Effect.fnUntraced(function* (operation: string, other: OrganisationId, change: Change) {
      const writes = yield* Effect.forEach(
        change.writes.filter(({ kind }) => kind.name === name),
        (write) =>
          Effect.map(load(operation, other, [{ kind: write.kind, by: "id", values: [write.id] }]), ({ answers }) =>
            answers.flatMap(({ stored: [before] }): ReadonlyArray<Write> => {
              if (before === undefined) return []
              const { after } = write
              return [{ ...write, before, after: after && withMembers(after, { organisationId: other }) }]
            })
          )
      )
      yield* commit(operation, other, { ...change, reads: [], events: [], writes: writes.flat() })
    })
    return {
      commit: (operation, owner, change) =>
        Effect.tap(commit(operation, owner, change), (outcome) =>
          outcome instanceof Stale
            ? Effect.void
            : Effect.forEach(
                [...database.keys()].filter((id) => id !== owner),
                (other) => repeat(operation, other, change),
                { discard: true }
              )
        )
    }
  }

/** Commits each write for itself. */
export const oneByOne: Broken = ({ commit }) => ({
  commit: (operation, owner, change) =>
    Effect.map(
      Effect.forEach(change.writes, (write, index) =>
        Effect.andThen(
          Effect.yieldNow,
          commit(operation, owner, { ...change, writes: [write], events: index === 0 ? change.events : [] })
        )
      ),
      (outcomes) =>
        outcomes.find((outcome) => outcome instanceof Stale) ?? {
          _tag: "Committed" as const,
          revisions: change.writes.map(() => null)
        }
    )
})
