/**
 * Does a request that comes with an idempotency key once, however often it is
 * sent (specification, section 3). What a claimed request makes gets its ids from
 * the claim, so that it can be run again when nobody knows what came of it.
 */
import { hash } from "node:crypto"
import {
  CurrentCaller,
  type IdempotencyStore,
  maximumAnswerBytes,
  type RepositoryError,
  withSeededIds
} from "@solar-sites/core"
import { Cause, DateTime, Effect, Exit, Option, Schema, type Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import { jsonMediaType } from "../handlers/Reply.ts"
import { type Refusal, refuse, statusOf } from "./Refused.ts"

type Response = HttpServerResponse.HttpServerResponse
type Answer<A> = Effect.Effect<A, Refusal, CurrentCaller | Scope.Scope>

/** How a body is kept and given again; without it, as it is. */
export interface Keeping {
  /** What is kept of it. */
  readonly shorten: (body: string) => string
  /** The body from what was kept, brought up to date where that is needed. */
  readonly restore: (kept: string) => Answer<string>
}

/**
 * A request with a body that has been read and is valid. `url` is path and query as they were sent; `exist` fails when something
 * that it names does not exist.
 */
interface Attempt {
  readonly key: string
  readonly method: string
  readonly url: string
  readonly body: Uint8Array
  readonly respond: Answer<Response>
  readonly exist: Answer<unknown>
  readonly keeping: Keeping | undefined
}

/** Does a request unless it has been done, or is being done. */
export type RunOnce = (attempt: Attempt) => Answer<Response>

const lease = { seconds: 60 }
const life = { hours: 24 }
const retryAfter = { "retry-after": "1" }

const Kept = Schema.fromJsonString(
  Schema.Struct({
    status: Schema.Int,
    headers: Schema.Record(Schema.String, Schema.String),
    body: Schema.String
  })
)

const keptHeaders = ["etag", "location"]

const textOf = ({ body }: Response): string => (body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "")

/** What is kept of an answer; none when it is too large for that. */
const keep = (response: Response, keeping: Keeping | undefined): Option.Option<string> => {
  const headers = Object.entries(response.headers).filter(([name]) => keptHeaders.includes(name))
  const text = textOf(response)
  const body = keeping === undefined ? text : keeping.shorten(text)
  const kept = JSON.stringify({ status: response.status, headers: Object.fromEntries(headers), body })
  return Buffer.byteLength(kept) > maximumAnswerBytes ? Option.none() : Option.some(kept)
}

const replay = Effect.fnUntraced(function* (answer: string, keeping: Keeping | undefined) {
  // What cannot be read was not written here.
  const { body, headers, status } = yield* Effect.orDie(Schema.decodeUnknownEffect(Kept)(answer))
  return HttpServerResponse.text(keeping === undefined ? body : yield* keeping.restore(body), {
    status,
    contentType: jsonMediaType,
    headers: { ...headers, "idempotency-replayed": "true" }
  })
})

const fingerprintOf = ({ body, method, url }: Attempt): string =>
  hash("sha256", Buffer.concat([Buffer.from(`${method} ${url}\n`), body]))

/** True when nothing has been done, for certain: the request was refused. */
const isRefused = (exit: Exit.Exit<Response, Refusal>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.every((reason) => Cause.isFailReason(reason) && statusOf(reason.error) < 500)

// What the store is told afterwards is of no concern to the caller: should it be lost, the lease ends by itself.
const afterwards = (told: Effect.Effect<void, RepositoryError>) =>
  Effect.catch(told, (error) => Effect.logWarning("The end of an idempotent request could not be kept", error))

/** `nextSeed` makes UUIDs of version 7. */
export const makeRunOnce = (store: IdempotencyStore["Service"], nextSeed: Effect.Effect<string>): RunOnce => {
  const perform = Effect.fnUntraced(function* ({ keeping, key, respond }: Attempt, seed: string) {
    const { organisationId } = yield* CurrentCaller
    const exit = yield* Effect.exit(withSeededIds(seed)(respond))
    const kept = Exit.isSuccess(exit) ? keep(exit.value, keeping) : Option.none()
    if (Option.isSome(kept)) {
      yield* afterwards(store.complete(organisationId, key, { seed, answer: kept.value }))
    } else if (isRefused(exit)) {
      yield* afterwards(store.release(organisationId, key, { seed }))
    } else {
      // The same request may run again, and makes the same records.
      yield* afterwards(store.abandon(organisationId, key, { seed, now: yield* DateTime.now }))
    }
    return yield* exit
  })

  const runOnce = Effect.fnUntraced(function* (attempt: Attempt) {
    const { organisationId } = yield* CurrentCaller
    const now = yield* DateTime.now
    const claim = yield* store.claim(organisationId, attempt.key, {
      fingerprint: fingerprintOf(attempt),
      seed: yield* nextSeed,
      now,
      leaseUntil: DateTime.add(now, lease),
      expiresAt: DateTime.add(now, life)
    })
    switch (claim._tag) {
      case "Claimed":
        return yield* perform(attempt, claim.seed)
      case "Answered":
        return yield* replay(claim.answer, attempt.keeping)
      // A missing resource is a 404 before a conflict is a 409.
      case "InUse":
        yield* attempt.exist
        return yield* refuse("idempotency_key_in_use", { headers: retryAfter })
      case "Reused":
        yield* attempt.exist
        return yield* refuse("idempotency_key_reused")
    }
  })

  return (attempt) => Effect.uninterruptible(runOnce(attempt))
}
