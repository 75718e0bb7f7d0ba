import { Effect, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { newPassword, PasswordRefused, presentedPassword } from "../../../src/accounts/login/Password.ts"
import { PasswordHasher } from "../../../src/accounts/login/PasswordHasher.ts"
import { passwordOf } from "../AccountsSetup.ts"

const run = <A, E>(effect: Effect.Effect<A, E, PasswordHasher>) =>
  Effect.runPromise(Effect.provide(effect, PasswordHasher.layer))

describe("a password", () => {
  it("has at least 12 characters, at most 1,024 bytes and no control characters", () => {
    for (const [text, reason] of [
      ["elevenchars", "must have at least 12 characters"],
      ["🌞🌞🌞🌞🌞🌞🌞🌞🌞🌞🌞", "must have at least 12 characters"],
      ["x".repeat(1_025), "must have at most 1024 bytes"],
      ["ü".repeat(513), "must have at most 1024 bytes"],
      ["a\u0300".repeat(513), "must have at most 1024 bytes"],
      [`twelve chars ${"\u0300".repeat(31)}`, "must not hold so many combining marks in a row"],
      ["twelve chars\0", "must not hold control characters"],
      ["twelve chars \ud800", "must not hold control characters"]
    ] as const) {
      expect(newPassword(text)).toEqual(new PasswordRefused({ reason }))
      expect(presentedPassword(text)).toEqual(Option.none())
    }
    for (const text of ["twelve chars", "x".repeat(1_024), "🌞".repeat(12), "            "]) {
      expect(Redacted.value(passwordOf(text))).toBe(text)
    }
  })

  it("is equal in all compositions of its characters, and is redacted in logs", () => {
    expect(Redacted.value(passwordOf("Größe und Maß"))).toBe(Redacted.value(passwordOf("Gro\u0308ße und Maß")))
    expect(Redacted.value(passwordOf("ｆｕｌｌ ｗｉｄｔｈ ｗｏｒｄ"))).toBe("full width word")
    expect(`${passwordOf("correct horse battery")}`).not.toContain("horse")
  })
})

describe("the hasher", () => {
  it("verifies a password by its argon2id hash, which differs each time", () =>
    run(
      Effect.gen(function* () {
        const { hash, isOutdated, verify } = yield* PasswordHasher
        const password = passwordOf("correct horse battery")
        const [one, other] = [yield* hash(password), yield* hash(password)]
        expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
        expect(one).not.toBe(other)
        expect([yield* verify(one, password), yield* verify(one, passwordOf("correct horse staple"))]).toEqual([
          true,
          false
        ])
        expect([isOutdated(one), isOutdated(one.replace("t=2", "t=1"))]).toEqual([false, true])
      })
    ))

  it("refuses without a hash or a password", () =>
    run(
      Effect.gen(function* () {
        const { hash, verify } = yield* PasswordHasher
        const password = passwordOf("correct horse battery")
        expect(yield* verify(undefined, password)).toBe(false)
        expect(yield* verify(undefined, undefined)).toBe(false)
        expect(yield* verify(yield* hash(password), undefined)).toBe(false)
      })
    ))

  it("runs two at a time, queues some and refuses the others", () =>
    run(
      Effect.gen(function* () {
        const { withPermit } = yield* PasswordHasher
        let [running, most] = [0, 0]
        const work = Effect.gen(function* () {
          most = Math.max(most, ++running)
          yield* Effect.yieldNow
          running -= 1
          return "done"
        })
        const outcomes = yield* Effect.all(
          Array.from({ length: 100 }, () => Effect.catch(withPermit(work), ({ _tag }) => Effect.succeed(_tag))),
          { concurrency: "unbounded" }
        )
        expect(most).toBe(2)
        expect(outcomes.filter((outcome) => outcome === "done").length).toBeGreaterThanOrEqual(34)
        expect(outcomes).toContain("HasherOverloaded")
        expect(yield* withPermit(work)).toBe("done")
      })
    ))
})
