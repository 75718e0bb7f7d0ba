import { ConfigProvider, Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { fromEnvironment, settings } from "../../src/configuration/Settings.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  fromEnvironment(settings).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)),
    Effect.result,
    Effect.runSync
  )

describe("the time of digests", () => {
  it.for(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kathmandu"])("can be in %s", (timeZone) => {
    const { digest } = Result.getOrThrow(read({ DIGEST_HOUR: "0", DIGEST_TIMEZONE: timeZone }))
    expect(digest).toEqual({ hour: 0, timeZone })
  })

  it.for([
    ["DIGEST_HOUR", "24", "must be a whole number from 0 to 23"],
    ["DIGEST_HOUR", "6:30", "must be a whole number from 0 to 23"],
    ["DIGEST_HOUR", "-1", "must be a whole number from 0 to 23"],
    ["DIGEST_TIMEZONE", "Europe/Atlantis", "must be a time zone of the IANA database, such as Europe/Berlin or UTC"],
    ["DIGEST_TIMEZONE", "+01:00", "must be a time zone of the IANA database, such as Europe/Berlin or UTC"],
    ["DIGEST_TIMEZONE", "6", "must be a time zone of the IANA database, such as Europe/Berlin or UTC"]
  ] as const)("refuses %s=%s", ([name, value, message]) => {
    expect(Result.getOrThrow(Result.flip(read({ [name]: value }))).message).toBe(`${name} ${message}.`)
  })
})
