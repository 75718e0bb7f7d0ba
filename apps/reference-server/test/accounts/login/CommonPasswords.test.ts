import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { makeRequireUncommon } from "../../../src/accounts/login/CommonPasswords.ts"
import { passwordOf } from "../AccountsSetup.ts"

const names = ["Ada Lovelace", "ada.lovelace@example.com", "Sun & Wind GmbH"]

const isRefused = async (text: string): Promise<boolean> => {
  const requireUncommon = await Effect.runPromise(makeRequireUncommon)
  return Result.isFailure(await Effect.runPromise(Effect.result(requireUncommon(passwordOf(text), names))))
}

describe("a new password", () => {
  it.each([
    "password1234",
    "PasswordPassword",
    "P@ssw0rd1234",
    "123456789012",
    "qwertyuiop12",
    "1q2w3e4r5t6y",
    "aaaaaaaaaaaaaaaaaa",
    "iloveyou1234",
    "unbelievable",
    "adalovelace1",
    "lovelace2026",
    "solarsites2026",
    "Password2026!",
    "a".repeat(1_024)
  ])("is refused when it is easy to guess: %s", async (text) => {
    expect(await isRefused(text)).toBe(true)
  })

  it.each([
    "correct horse battery",
    "Ada loves solar panels",
    "5f3c9a2b7e11aa01bc77d2e4",
    "vq7!Rk2pZx0m",
    "Größe und Maß",
    "日本語のパスワードは長い言葉"
  ])("is accepted otherwise: %s", async (text) => {
    expect(await isRefused(text)).toBe(false)
  })
})
