import { SolarSitesNetworkError, SolarSitesProblem } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { fieldErrorsOf, isSessionMissing, messageOf } from "../src/api/failures.ts"
import { formatBytes, formatDate, formatInstant } from "../src/texts/formats.ts"

const sent = { what: "POST /console/api-keys", attempts: 1 }

const refusal = (code: string, status: number, rest: object = {}, retryAfter: number | null = null) =>
  new SolarSitesProblem(
    { type: "", title: "", status, detail: "The server says why.", code, requestId: "request-1", ...rest },
    sent,
    retryAfter
  )

describe("what an error says", () => {
  it.each([
    [refusal("validation_failed", 400), "The server says why."],
    [refusal("internal_error", 500), "The server says why. The request was request-1."],
    [refusal("rate_limited", 429, {}, 1), "That was tried too often. Try again in a second."],
    [refusal("rate_limited", 429, {}, 61), "That was tried too often. Try again in 61 seconds."],
    [refusal("rate_limited", 429, {}, 600), "That was tried too often. Try again in 10 minutes."],
    [refusal("rate_limited", 429), "That was tried too often. Try again in a while."],
    [new SolarSitesNetworkError(sent), "The server cannot be reached. Look whether you are connected, then try again."],
    [new TypeError("x is not a function"), "Something went wrong in this page. Reload it and try again."]
  ])("%s", (error, sentence) => expect(messageOf(error)).toBe(sentence))

  it("knows a session that has ended from every other refusal", () => {
    expect(isSessionMissing(refusal("session_missing", 401))).toBe(true)
    expect([refusal("login_failed", 401), new SolarSitesNetworkError(sent), null].some(isSessionMissing)).toBe(false)
  })

  it("is the first fault of each field, by the name that the form has for it", () => {
    const errors = [
      { pointer: "/name", code: "too_long", detail: "is too long" },
      { pointer: "/name", code: "untrimmed", detail: "begins with a space" },
      { pointer: "/location/latitude", code: "out_of_range", detail: "is out of range" },
      { pointer: "/a~1b~0c", code: "unknown", detail: "is not known" }
    ]
    expect(fieldErrorsOf(refusal("validation_failed", 400, { errors }))).toEqual({
      name: "is too long",
      "location.latitude": "is out of range",
      "a/b~c": "is not known"
    })
    expect(fieldErrorsOf(new TypeError("no"))).toEqual({})
  })
})

describe("formats", () => {
  it("writes dates without a doubt about day and month", () => {
    expect(formatDate("2026-11-05T12:00:00Z")).toBe("5 Nov 2026")
    expect(formatInstant("2026-11-05T12:00:00Z")).toMatch(/^5 Nov 2026, \d\d:00$/)
  })

  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1_023, "1,023 bytes"],
    [1_024, "1 KiB"],
    [4_456_448, "4.3 MiB"],
    [100 * 1_024 ** 2, "100 MiB"],
    [7 * 1_024 ** 4, "7,168 GiB"]
  ])("%d bytes", (bytes, text) => expect(formatBytes(bytes)).toBe(text))
})
