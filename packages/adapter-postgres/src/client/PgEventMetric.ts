/**
 * Counts the events that statements write.
 */
import { eventTypes } from "@solar-sites/core"
import { type Context, Metric } from "effect"
import type { PgRows } from "./PgStatement.ts"

const written = Metric.counter("solar_sites_events_written", {
  description: "Events written, by type",
  incremental: true
})

const counters = new Map<string, Metric.Counter<number>>(
  eventTypes.map((type) => [type, Metric.withAttributes(written, { type })])
)

/** A statement that writes events has their types, with commas, in the second column of its answer. */
export const countEvents = (rows: PgRows, context: Context.Context<never>): void => {
  const types = rows.at(-1)?.[1]
  if (typeof types !== "string") return
  for (const type of types.split(",")) counters.get(type)?.updateUnsafe(1, context)
}
