import { EventId } from "@solar-sites/core"
import { DateTime } from "effect"
import { expect, it } from "vitest"
import { eventIdAt } from "../../src/events/EventOrigin.ts"

it("the id of an event of a step ends with its number", () => {
  const actor = { userId: null, apiKeyId: null, keyPrefix: null }
  const id = EventId.make("0199d0a1-0000-7000-8000-0123456789ab")
  const occurredAt = DateTime.makeUnsafe(0)
  expect(eventIdAt({ id, actor, occurredAt, requestId: null }, 10)).toBe("0199d0a1-0000-7000-8000-01230000000a")
})
