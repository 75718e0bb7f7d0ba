/**
 * Turns passwords into hashes by argon2id, on threads of its own and a bounded
 * number at a time: each takes 19 MiB, and logins must not use up the memory.
 */
import { Context, Data, Effect, Layer, Redacted, Semaphore } from "effect"
import type { Password } from "./Password.ts"

// What OWASP recommends for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const parameters = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`

/** Of no password: what an unknown user is compared with takes as long as what a known one is. */
const nobodys = `${parameters}${"A".repeat(22)}$${"A".repeat(43)}`

const concurrency = 2
const longestQueue = 32

// Some megabytes of native code, which no other command needs.
const argon2 = Effect.cached(Effect.promise(() => import("@node-rs/argon2")))

/** So many wait for their turn that it makes no sense to join them. */
export class TooManyAtOnce extends Data.TaggedError("TooManyAtOnce")<Record<never, never>> {}

export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    /** Runs what hashes, two at a time; at most 32 wait. */
    readonly inTurn: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | TooManyAtOnce, R>

    readonly hash: (password: Password) => Effect.Effect<string>

    /** Compares with a hash; without one, or without a password, with nobody's, which takes as long. */
    readonly verify: (hash: string | undefined, password: Password | undefined) => Effect.Effect<boolean>

    /** True of a hash that was made with other parameters than are used now. */
    readonly isOutdated: (hash: string) => boolean
  }
>()("@solar-sites/reference-server/PasswordHasher") {
  static readonly layer: Layer.Layer<PasswordHasher> = Layer.effect(
    PasswordHasher,
    Effect.gen(function* () {
      const library = yield* argon2
      const turns = yield* Semaphore.make(concurrency)
      let admitted = 0

      const enter = Effect.suspend(() => {
        if (admitted >= concurrency + longestQueue) return Effect.fail(new TooManyAtOnce())
        admitted += 1
        return Effect.void
      })
      const leave = () =>
        Effect.sync(() => {
          admitted -= 1
        })

      return PasswordHasher.of({
        inTurn: (effect) => Effect.acquireUseRelease(enter, () => turns.withPermits(1)(effect), leave),

        hash: (password) =>
          Effect.flatMap(library, ({ hash }) => Effect.promise(() => hash(Redacted.value(password), cost))),

        verify: (hash = nobodys, password) =>
          Effect.flatMap(library, ({ verify }) =>
            Effect.promise(() => verify(hash, password === undefined ? "" : Redacted.value(password)))
          ),

        isOutdated: (hash) => !hash.startsWith(parameters)
      })
    })
  )
}
