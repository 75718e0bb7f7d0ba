/**
 * What holds after every step, for each document.
 */
import { strict as assert } from "node:assert"
import type { Document } from "@solar-sites/core"
import { Effect, Option } from "effect"
import type { Fixture, Place } from "./Fixture.ts"
import type { Gates } from "./Gates.ts"

type Status = Document["status"]
type State = Status | "none"

/** One port call is one step of the state machine. */
const next: Readonly<Record<State, ReadonlyArray<State>>> = {
  none: ["pending"],
  pending: ["uploaded", "failed"],
  uploaded: ["approved", "failed"],
  approved: ["completed"],
  completed: [],
  failed: ["pending", "uploaded"]
}

const nothingArrived = "nothing arrived"

/** The default of the upload policy: uploads end within it after their address. */
export const graceMillis = 15 * 60_000

/** Deleted, rejected or refused: any stored file may be deleted. */
const isExpendable = (document: Document | undefined): boolean =>
  document === undefined || (document.status === "failed" && !document.failureReason?.startsWith(nothingArrived))

/** What the proof knows of a document. Contents are numbers; 0 is none. */
export type Known = ReturnType<typeof unknown>

export const unknown = () => ({
  state: "none" as State,
  isExpendable: true,
  /** The content that a client was told is stored. */
  acknowledged: 0,
  stored: 0,
  /** The content that was stored when the document was refused or deleted. */
  refused: 0,
  /** End of the last address that a caller got; 0: none. */
  validUntil: 0,
  wasDeleted: false,
  /** How many contents were sent. The first byte of a file identifies its content. */
  contents: 0
})

/** Reads the document and its file, compares them with the earlier steps, and returns the status. */
export const check = Effect.fnUntraced(function* (
  { client, commands, organisationId }: Fixture,
  gates: Gates,
  { id, url }: Place,
  known: Known
) {
  const document = Option.getOrUndefined(yield* commands.findById(organisationId, id))
  const { body, status } = yield* client.get(url)
  const stored = status === 200 ? (body[0] ?? 0) : 0
  const state = document?.status ?? "none"
  const isAllowed = state === known.state || state === "none" || next[known.state].includes(state)
  assert.ok(isAllowed, `${known.state} became ${state}`)

  // A delayed request creates a deleted document again, with an address of its own time.
  known.wasDeleted ||= known.state !== "none" && state === "none"
  if (known.state === "pending" && state === "failed" && !isExpendable(document) && !known.wasDeleted) {
    assert.ok(gates.now() >= known.validUntil + graceMillis, "no document is given up before the grace has ended")
  }

  const wasThere = !known.isExpendable && known.stored === stored
  known.isExpendable = isExpendable(document)
  known.stored = stored
  known.state = state
  if (known.isExpendable && stored === 0) known.acknowledged = 0
  if (known.isExpendable && wasThere) known.refused = stored
  assert.equal(
    stored,
    known.acknowledged,
    `the content of a ${state} document that was acknowledged is there, and no other`
  )
  if (known.isExpendable) return state
  if (stored !== 0) assert.notEqual(stored, known.refused, "a refused or deleted content does not come back")
  if (state !== "pending" && state !== "failed") {
    assert.equal(body.byteLength, document?.sizeBytes, `the file of the ${state} document is there`)
  }
  return state
})

const isRejected = ({ failureReason, status }: Document): boolean => status === "failed" && failureReason === "rejected"

/** What holds when all commands and the sweeper's delays are over. */
export const checkEnd = Effect.fnUntraced(function* ({ commands, organisationId, places, storage }: Fixture) {
  const live = new Set<string>()
  for (const { id, key } of places) {
    const document = Option.getOrUndefined(yield* commands.findById(organisationId, id))
    assert.notEqual(document?.status, "pending", "no document stays pending")
    if (document !== undefined && (document.status !== "failed" || isRejected(document))) live.add(key)
  }
  const { items } = yield* storage.list(organisationId, { after: null, limit: 100 })
  for (const { key } of items) assert.ok(live.has(key), `the file of a deleted or refused document is gone: ${key}`)
})
