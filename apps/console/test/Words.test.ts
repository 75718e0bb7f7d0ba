import { SolarSitesNetworkError, SolarSitesProblem } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { deviceOf } from "../src/account/deviceOf.ts"
import { fieldErrorsOf, isSessionMissing, isSessionOutdated, messageOf } from "../src/api/failures.ts"

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
