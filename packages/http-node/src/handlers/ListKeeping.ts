/**
 * Kept answers that list resources. A list of a thousand sites can have several
 * mebibytes: of a long one only the ids are kept, and the resources are read
 * again.
 */
import type { CurrentCaller } from "@solar-sites/core"
import { Effect, Schema } from "effect"
import type { Keeping } from "../pipeline/Idempotency.ts"
import type { Refusal } from "../pipeline/Refused.ts"
import { jsonText } from "./Wire.ts"

// In bytes. Inside the kept answer, which has twice as many at most, every quote is escaped once more.
const longest = 30_000

const Ids = Schema.Array(Schema.String)
const decodeIds = Schema.decodeUnknownEffect(Schema.fromJsonString(Ids))
const decodeData = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }))
)

/** `read` answers nothing for a resource that is gone by now: it is left out. */
export const listKeeping = (
  read: (id: string) => Effect.Effect<ReadonlyArray<unknown>, Refusal, CurrentCaller>
): Keeping => ({
  shorten: (body) =>
    Buffer.byteLength(body) <= longest ? body : JSON.stringify(decodeData(body).data.map(({ id }) => id)),
  restore: Effect.fnUntraced(function* (kept: string) {
    if (!kept.startsWith("[")) return kept
    const ids = yield* Effect.orDie(decodeIds(kept))
    // Look-ups that are under way at once share their statements.
    const found = yield* Effect.forEach(ids, read, { concurrency: "unbounded" })
    return jsonText({ data: found.flat() })
  })
})
