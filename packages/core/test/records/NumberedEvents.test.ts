import { EventId, numberedEvents } from "@solar-sites/core"
import { DateTime } from "effect"
import { expect, it } from "vitest"

const id = EventId.make("01a21fc5-5fee-7347-96c7-8d18b2f6be48")
const occurredAt = DateTime.makeUnsafe("2026-03-29T12:00:00.000Z")
const origin = { id, occurredAt, actor: { userId: null, apiKeyId: null, keyPrefix: null }, requestId: "request-1" }
const anEvent = { type: "site.updated", subjectId: id, subjectName: "Long Meadow", siteId: id, changes: {} } as const

it("events follow the last one, and share the instant of their step", () => {
  const events = numberedEvents([anEvent, anEvent], origin, { sequence: 7, occurredAt: null })
  expect(events.map(({ sequence }) => sequence)).toEqual([8, 9])
  expect(new Set(events.map((event) => event.id)).size).toBe(2)
  expect(events.map((event) => event.occurredAt)).toEqual([occurredAt, occurredAt])
  expect(events[0]?.subject).toEqual({ type: "site", id, name: "Long Meadow" })
})

it("an instant does not descend, unless a clock was ahead by more than an hour", () => {
  const after = (minutes: number) => {
    const last = { sequence: 1, occurredAt: DateTime.add(occurredAt, { minutes }) }
    return numberedEvents([anEvent], origin, last)[0]?.occurredAt
  }
  expect(after(-1)).toEqual(occurredAt)
  expect(after(59)).toEqual(DateTime.add(occurredAt, { minutes: 59 }))
  expect(after(60)).toEqual(occurredAt)
})
