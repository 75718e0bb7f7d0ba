/**
 * Runs a request with an `Idempotency-Key` once, however often its caller sends it (specification,
 * section 3). The ids of what it creates are derived from the claim, so that a retry after an unknown
 * outcome creates the same records.
 */
import { hash } from "node:crypto"
import {
  type Caller,
  CurrentCaller,
  type IdempotencyKey,
  type IdempotencyOutcome,
  type IdempotencyStore,
  idempotencyCaller,
  idempotencyKeyHours,
  maximumAnswerBytes,
  type RepositoryError,
  withSeededIds
} from "@solar-sites/core"
import { Cause, DateTime, Effect, Exit, Option, Schema, type Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Refusal, refuse, statusOf } from "./Refused.ts"
import { jsonMediaType } from "./Reply.ts"

type Response = HttpServerResponse.HttpServerResponse
type Answer<A> = Effect.Effect<A, Refusal, CurrentCaller | Scope.Scope>

/** How the body of a response is stored and restored; without it, unchanged. */
export interface Replay {
  /** The text to store. */
  readonly shorten: (body: string) => string
  /** The body from the stored text, brought up to date where necessary. */
  readonly restore: (stored: string) => Answer<string>
}

/**
 * A valid request with its body. `url` is path and query as they were sent. `exist`
 * fails when a resource that the request names does not exist.
 */
interface Attempt {
  readonly key: string
  readonly method: string
  readonly url: string
  readonly body: Uint8Array
  readonly respond: Answer<Response>
  readonly exist: Answer<unknown>
  readonly replay: Replay | undefined
}

/** Runs a request unless it has been run, or is running. */
export type RunOnce = (attempt: Attempt) => Answer<Response>

const lease = { seconds: 60 }
const life = { hours: idempotencyKeyHours }
const retryAfter = { "retry-after": "1" }

const StoredResponse = Schema.fromJsonString(
  Schema.Struct({
    status: Schema.Int,
    headers: Schema.Record(Schema.String, Schema.String),
    body: Schema.String
  })
)

const storedHeaders = ["etag", "location"]

const textOf = ({ body }: Response): string => (body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "")

/** The text that is stored of a response; none when it is too large. */
const toStored = (response: Response, replay: Replay | undefined): Option.Option<string> => {
  const headers = Object.entries(response.headers).filter(([name]) => storedHeaders.includes(name))
  const text = textOf(response)
  const body = replay === undefined ? text : replay.shorten(text)
  const stored = JSON.stringify({ status: response.status, headers: Object.fromEntries(headers), body })
  return Buffer.byteLength(stored) > maximumAnswerBytes ? Option.none() : Option.some(stored)
}

const fromStored = Effect.fnUntraced(function* (answer: string, replay: Replay | undefined) {
  // A text that cannot be decoded was not written here.
  const { body, headers, status } = yield* Effect.orDie(Schema.decodeUnknownEffect(StoredResponse)(answer))
  return HttpServerResponse.text(replay === undefined ? body : yield* replay.restore(body), {
    status,
    contentType: jsonMediaType,
    headers: { ...headers, "idempotency-replayed": "true" }
  })
})

const fingerprintOf = ({ body, method, url }: Attempt): string =>
  hash("sha256", Buffer.concat([Buffer.from(`${method} ${url}\n`), body]))

/** True when the request was refused and has certainly changed nothing. */
const isRefused = (exit: Exit.Exit<Response, Refusal>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.every((reason) => Cause.isFailReason(reason) && statusOf(reason.error) < 500)

// A failure here does not concern the caller: the lease ends by itself.
const afterwards = (update: Effect.Effect<void, RepositoryError>) =>
  Effect.catch(update, (error) => Effect.logWarning("The outcome of an idempotent request could not be stored", error))

/** `nextSeed` generates UUIDs of version 7. */
export const makeRunOnce = (store: IdempotencyStore["Service"], nextSeed: Effect.Effect<string>): RunOnce => {
  const perform = Effect.fnUntraced(function* (
    { replay, respond }: Attempt,
    caller: Caller,
    key: IdempotencyKey,
    seed: string
  ) {
    const { organisationId } = caller
    const exit = yield* Effect.exit(withSeededIds(seed)(respond))
    const stored = Exit.isSuccess(exit) ? toStored(exit.value, replay) : Option.none()
    const outcome: IdempotencyOutcome = Option.isSome(stored)
      ? { _tag: "Answered", answer: stored.value }
      : isRefused(exit)
        ? { _tag: "Refused" }
        : // A retry may run, and creates the same records.
          { _tag: "Unknown", now: yield* DateTime.now }
    yield* afterwards(store.end(organisationId, key, { seed, outcome }))
    return yield* exit
  })

  const runOnce = Effect.fnUntraced(function* (attempt: Attempt) {
    const caller = yield* CurrentCaller
    const key = { caller: idempotencyCaller(caller), key: attempt.key }
    const now = yield* DateTime.now
    const claim = yield* store.claim(caller.organisationId, key, {
      fingerprint: fingerprintOf(attempt),
      seed: yield* nextSeed,
      now,
      leaseUntil: DateTime.add(now, lease),
      expiresAt: DateTime.add(now, life)
    })
    switch (claim._tag) {
      case "Claimed":
        return yield* perform(attempt, caller, key, claim.seed)
      case "Answered":
        return yield* fromStored(claim.answer, attempt.replay)
      // 404 for a missing resource comes before 409 for a conflict.
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
