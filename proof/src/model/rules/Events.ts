/**
 * The feed of events (specification, section 12).
 */
import { ListEvents } from "@solar-sites/core/model"
import { ok, type Rule, type Turn } from "../Call.ts"
import { asked } from "../Input.ts"
import { hasValues } from "../List.ts"
import { difference, Hole, isRecord, newId } from "../Match.ts"
import type { Event } from "../ModelState.ts"
import { changesWithin, eventsWithin } from "../Reach.ts"

export const isOfType = ({ type }: Pick<Event, "type">, wanted: ReadonlyArray<string>): boolean =>
  wanted.length === 0 || wanted.some((one) => (one.endsWith(".*") ? type.startsWith(one.slice(0, -1)) : type === one))

/** Events of one subject and one request are one after another; others may come in any order. */
const keyOf = (event: unknown): string => {
  if (!isRecord(event) || !isRecord(event["subject"])) return ""
  return JSON.stringify([event["requestId"], event["type"], event["subject"]["id"]])
}

const shown = (turn: Turn, event: Event): Record<string, unknown> => ({
  ...event,
  changes: changesWithin(turn.whole, turn.caller.limit, event.changes),
  id:
    event.id ??
    newId(turn.model, (id) => {
      event.id = id
    }),
  sequence:
    event.sequence ??
    new Hole("a sequence", (found) => {
      if (typeof found !== "number" || !Number.isSafeInteger(found)) return false
      event.sequence = found
      return true
    })
})

/** Written later, and not of every failure; the end of validity by the service itself, which core's histories judge. */
export const unforeseen: ReadonlySet<unknown> = new Set(["user.login_failed", "document.expiring", "document.expired"])

/** Finds each listed event in the model, each once. */
const matches = (turn: Turn, events: ReadonlyArray<Event>, found: ReadonlyArray<unknown>): string | undefined => {
  const waiting = new Map<string, Array<Event>>()
  for (const event of events) waiting.set(keyOf(event), [...(waiting.get(keyOf(event)) ?? []), event])
  const ascending = turn.call.query.some(([name, value]) => name === "order" && value === "desc")
    ? found.toReversed()
    : found
  let last = Number.NEGATIVE_INFINITY
  for (const one of ascending) {
    if (isRecord(one) && unforeseen.has(one["type"])) continue
    const event = waiting.get(keyOf(one))?.shift()
    if (event === undefined || !isRecord(one)) return `an event that is not expected: ${JSON.stringify(one)}`
    const differs = difference(shown(turn, event), one)
    if (differs !== undefined) return `event ${event.type}: ${differs}`
    const sequence = Number(one["sequence"])
    if (sequence <= last) return "the sequence does not ascend"
    last = sequence
  }
  const [missing] = [...waiting.values()].flat()
  return missing === undefined ? undefined : `no event ${missing.type} ${JSON.stringify(missing.changes)}`
}

export const eventRules: Readonly<Record<string, Rule>> = {
  listEvents: (turn) =>
    asked(ListEvents, turn.call, ({ actorId, siteId, subjectId, type = [] }) => {
      const events = eventsWithin(turn.whole, turn.caller.limit).filter(
        (event) =>
          isOfType(event, type) &&
          hasValues(event, { siteId }) &&
          hasValues(event.subject, { id: subjectId }) &&
          (actorId === undefined || event.actor.userId === actorId || event.actor.apiKeyId === actorId)
      )
      let fault = "the events of the model"
      const data = new Hole("events", (found) => {
        const differs = Array.isArray(found) ? matches(turn, events, found) : "no list"
        fault = differs ?? fault
        return differs === undefined
      })
      Object.defineProperty(data, "name", { get: () => fault })
      return ok(200, { data, nextCursor: null })
    })
}
