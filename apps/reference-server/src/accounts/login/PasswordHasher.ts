/**
 * Hashes passwords by argon2id in the libuv thread pool. Concurrency is bounded,
 * since each hash takes 19 MiB.
 */
import { Context, Data, Effect, Layer, Redacted, Semaphore } from "effect"
import { makeRequireUncommon } from "./CommonPasswords.ts"
import type { Password, PasswordRefused } from "./Password.ts"

/**
 * Cost of a hash: KiB of memory, passes and lanes, by default the recommendation of OWASP for argon2id. No setting
 * changes it. Tests that are not about hashes lower it.
 */
export const PasswordCost = Context.Reference("@solar-sites/reference-server/PasswordCost", {
  defaultValue: () => ({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })
})

const concurrency = 2
const maximumWaiting = 32

/** The queue of the hasher is full. */
export class HasherOverloaded extends Data.TaggedError("HasherOverloaded")<Record<never, never>> {}

export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    /** Runs at most two effects at a time; at most 32 wait, others fail. */
    readonly withPermit: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | HasherOverloaded, R>

    readonly hash: (password: Password) => Effect.Effect<string>

    /** Hashes a new password; refuses one that is easy to guess. `names` are of its user. */
    readonly hashNew: (password: Password, names: ReadonlyArray<string>) => Effect.Effect<string, PasswordRefused>

    /** Without a hash or password it is false, after the same time. */
    readonly verify: (hash: string | undefined, password: Password | undefined) => Effect.Effect<boolean>

    /** True of a hash with other than the current parameters. */
    readonly isOutdated: (hash: string) => boolean
  }
>()("@solar-sites/reference-server/PasswordHasher") {
  static readonly layer: Layer.Layer<PasswordHasher> = Layer.effect(
    PasswordHasher,
    Effect.gen(function* () {
      // Loaded before the first login: Node 20 keeps a failed import, as one without descriptors.
      const argon2 = yield* Effect.promise(() => import("@node-rs/argon2"))
      const cost = yield* PasswordCost
      const parameters = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
      // Hash of no password. Verifying against it makes unknown users as slow as known ones.
      const dummyHash = `${parameters}${"A".repeat(22)}$${"A".repeat(43)}`
      const requireUncommon = yield* makeRequireUncommon
      const permits = yield* Semaphore.make(concurrency)
      let admitted = 0

      const enter = Effect.suspend(() => {
        if (admitted >= concurrency + maximumWaiting) return Effect.fail(new HasherOverloaded())
        admitted += 1
        return Effect.void
      })
      const leave = () =>
        Effect.sync(() => {
          admitted -= 1
        })

      const hash = (password: Password) => Effect.promise(() => argon2.hash(Redacted.value(password), cost))

      return PasswordHasher.of({
        withPermit: (effect) => Effect.acquireUseRelease(enter, () => permits.withPermits(1)(effect), leave),

        hash,

        hashNew: (password, names) => Effect.andThen(requireUncommon(password, names), hash(password)),

        verify: (hash = dummyHash, password) =>
          Effect.promise(() => argon2.verify(hash, password === undefined ? "" : Redacted.value(password))),

        isOutdated: (hash) => !hash.startsWith(parameters)
      })
    })
  )
}
