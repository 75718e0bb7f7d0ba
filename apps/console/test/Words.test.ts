import { SolarSitesNetworkError, SolarSitesProblem } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { deviceOf } from "../src/account/deviceOf.ts"
import { fieldErrorsOf, isSessionMissing, isSessionOutdated, messageOf } from "../src/api/failures.ts"
import {
  editableNumber,
  formatBytes,
  formatDate,
  formatInstant,
  formatNumber,
  formatUntil,
  readNumber
} from "../src/texts/formats.ts"

const sent = { what: "POST /console/api-keys", attempts: 1 }

const refusal = (code: string, status: number, rest: object = {}, retryAfter: number | null = null) =>
  new SolarSitesProblem(
    { type: "", title: "", status, detail: "The server says why.", code, requestId: "request-1", ...rest },
    sent,
    retryAfter
  )

describe("error messages", () => {
  it.each([
    [refusal("validation_failed", 400), "The server says why."],
    [refusal("internal_error", 500), "The server says why. The request was request-1."],
    [refusal("scope_missing", 403), "Your role does not allow this. Ask an owner or admin of your organisation."],
    [refusal("role_insufficient", 403), "The server says why."],
    [refusal("rate_limited", 429, {}, 1), "That was tried too often. Try again in a second."],
    [refusal("rate_limited", 429, {}, 61), "That was tried too often. Try again in 61 seconds."],
    [refusal("rate_limited", 429, {}, 600), "That was tried too often. Try again in 10 minutes."],
    [refusal("rate_limited", 429), "That was tried too often. Try again in a while."],
    [new SolarSitesNetworkError(sent), "The server cannot be reached. Look whether you are connected, then try again."],
    [new TypeError("x is not a function"), "Something went wrong in this page. Reload it and try again."]
  ])("%s", (error, sentence) => expect(messageOf(error)).toBe(sentence))

  it("recognise the end of a session", () => {
    expect(isSessionMissing(refusal("session_missing", 401))).toBe(true)
    expect([refusal("login_failed", 401), new SolarSitesNetworkError(sent), null].some(isSessionMissing)).toBe(false)
  })

  it("recognise a session that allows less than before", () => {
    expect(isSessionOutdated(refusal("scope_missing", 403))).toBe(true)
    expect([refusal("origin_not_allowed", 403), new SolarSitesNetworkError(sent)].some(isSessionOutdated)).toBe(false)
  })

  it("name the first fault of each field", () => {
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

describe("names of browsers", () => {
  const like =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
  it.each([
    [like, "Chrome, Windows"],
    [`${like} Edg/140.0`, "Edge, Windows"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox, Linux"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1", "Safari, iOS"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari, macOS"],
    ["curl/8.14.1", "curl/8.14.1"]
  ])("%s", (userAgent, name) => expect(deviceOf(userAgent)).toBe(name))
})

describe("formats", () => {
  it("write dates with the name of the month", () => {
    expect(formatDate("2026-11-05T12:00:00Z")).toBe("5 Nov 2026")
    expect(formatInstant("2026-11-05T12:00:00Z")).toMatch(/^5 Nov 2026, \d\d:00$/)
  })

  it.each([
    [2 * 86_400_000 - 10_000, "in 2 days"],
    [86_400_000 - 10_000, "in 1 day"],
    [5 * 3_600_000, "in 5 hours"],
    [90_000, "in 2 minutes"],
    [1, "in 1 minute"]
  ])("%d ms from now", (milliseconds, text) => expect(formatUntil(milliseconds)).toBe(text))

  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1_023, "1,023 bytes"],
    [1_024, "1 KiB"],
    [4_456_448, "4.3 MiB"],
    [100 * 1_024 ** 2, "100 MiB"],
    [7 * 1_024 ** 4, "7,168 GiB"]
  ])("%d bytes", (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  it.each([
    ["0", 0],
    ["48.6", 48.6],
    [" 1234.5 ", 1_234.5],
    ["1,234.5", 1_234.5],
    ["1,234,567", 1_234_567],
    ["-0.25", -0.25],
    ["1,5", Number.NaN],
    ["12,34", Number.NaN],
    ["1,2345", Number.NaN],
    ["1234,567", Number.NaN],
    ["1.234,5", Number.NaN],
    ["1.2.3", Number.NaN],
    ["1e6", Number.NaN],
    ["0x10", Number.NaN],
    ["Infinity", Number.NaN],
    ["1 234", Number.NaN],
    ["--1", Number.NaN],
    ["1.", Number.NaN],
    ["5 kWp", Number.NaN],
    ["", Number.NaN]
  ])("reads %j as %d", (text, value) => expect(readNumber(text)).toBe(value))

  it.each([1, 0.1, 1e-7, 48.6, 1_234_567.125, 1e9, -179.999_999, 5e-90, 0.30000000000000004])(
    "reads %d as it is printed",
    (value) => {
      expect(readNumber(editableNumber(value))).toBe(value)
      expect(readNumber(formatNumber(value))).toBe(Math.round(value * 1_000) / 1_000)
    }
  )
})
