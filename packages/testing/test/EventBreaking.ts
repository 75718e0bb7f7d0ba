/**
 * Steps of adapters that write their events wrongly.
 */
import { Event } from "@solar-sites/core"
import { Effect } from "effect"
import type { Database } from "./breaking.ts"

type Reach = Parameters<Database["get"]>[0]

/** Runs a step and then changes the events it has written. */
export const afterwards =
  (rewrite: (written: Array<Event>) => ReadonlyArray<Event>) =>
  <A, E, R>(database: Database, reach: Reach, step: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const before = database.get(reach)?.events.kept.length ?? 0
      return Effect.tap(step, () =>
        Effect.sync(() => {
          const kept = database.get(reach)?.events.kept ?? []
          kept.push(...rewrite(kept.splice(before)))
        })
      )
    })

export const lose = afterwards(() => [])
export const loseLast = afterwards((written) => written.slice(0, -1))
export const turn = afterwards((written) =>
  written
    .toReversed()
    .map((event, index) => new Event({ ...event, sequence: written[index]?.sequence ?? event.sequence }))
)
export const withoutActor = afterwards((written) =>
  written.map((event) => new Event({ ...event, actor: { userId: null, apiKeyId: null, keyPrefix: null } }))
)
export const withoutChanges = afterwards((written) => written.map((event) => new Event({ ...event, changes: {} })))
