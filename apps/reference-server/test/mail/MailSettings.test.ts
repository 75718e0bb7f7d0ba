import { ConfigProvider, Effect, Option, Result } from "effect"
import { describe, expect, it } from "vitest"
import { fromEnvironment, settings } from "../../src/configuration/Settings.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  fromEnvironment(settings).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)),
    Effect.result,
    Effect.runSync
  )

const faultOf = (variables: Readonly<Record<string, string>>) => Result.getOrThrow(Result.flip(read(variables))).message

describe("the settings of mail", () => {
  it.each([
    ["SMTP_URL", "mail.example.com:587", "must be the address of a mail server"],
    ["SMTP_URL", "https://:secret@mail.example.com", "must be the address of a mail server"],
    ["SMTP_URL", "smtp://ada:secret%zz@mail.example.com", "must be the address of a mail server"],
    ["SMTP_URL", "smtp://mail.example.com?secure=false", "must be the address of a mail server"],
    ["MAIL_FROM", "Solar Sites", "must be an e-mail address"],
    ["MAIL_FROM", "a@example.com, b@example.com", "must be an e-mail address"],
    ["MAIL_FROM", "Solar\r\nBcc: eve@example.com <a@example.com>", "must be an e-mail address"]
  ])("say what is wrong with %s=%s", (name, value, fault) => {
    const message = faultOf({ [name]: value })
    expect(message).toMatch(new RegExp(`^${name} ${fault}`))
    expect(message).toMatch(/^[^\n]+\.$/)
    expect(message).not.toContain("secret")
  })

  it("need a sender for mails", () => {
    expect(faultOf({ SMTP_URL: "smtp://:secret@mail.example.com" })).toBe("MAIL_FROM must be set with SMTP_URL.")
    expect(Result.getOrThrow(read({ MAIL_FROM: "a@example.com" })).mail).toEqual(Option.none())
  })
})
