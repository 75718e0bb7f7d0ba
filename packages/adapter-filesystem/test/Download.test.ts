import { truncate } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { DownloadRequest } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { send } from "./Sending.ts"
import { aKey, start, urlOf } from "./Serving.ts"

const text = "0123456789"

/** A stored file of ten bytes, and requests for it. */
const stored = Effect.fnUntraced(function* (body: string = text) {
  const running = yield* start()
  const key = aKey()
  const mimeType = "text/plain"
  const { status } = yield* send(
    urlOf(yield* running.signUpload(key, { mimeType })),
    "PUT",
    { "Content-Type": mimeType },
    body
  )
  assert.strictEqual(status, 201)
  const get = Effect.fnUntraced(function* (
    headers: Readonly<Record<string, string>> = {},
    terms: Partial<DownloadRequest> = {},
    method = "GET"
  ) {
    return yield* send(yield* running.signDownload(key, terms), method, headers)
  })
  return { ...running, key, get }
})

describe("downloads", () => {
  it.live("are attachments that no browser runs", () =>
    Effect.gen(function* () {
      const { get } = yield* stored()
      const { body, headers, status } = yield* get({}, { filename: "Report.pdf", mimeType: "application/pdf" })
      assert.deepEqual([status, body], [200, text])
      assert.strictEqual(headers["content-type"], "application/pdf")
      assert.strictEqual(headers["content-length"], "10")
      assert.strictEqual(
        headers["content-disposition"],
        `attachment; filename="Report.pdf"; filename*=UTF-8''Report.pdf`
      )
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      assert.strictEqual(headers["content-security-policy"], "sandbox; default-src 'none'")
      assert.match(headers["cache-control"] ?? "", /^private, max-age=(5\d|60)$/)
      assert.strictEqual(headers["accept-ranges"], "bytes")
      assert.isUndefined(headers["access-control-allow-origin"])
    })
  )

  it.live("have the stored type, and are inline without a name", () =>
    Effect.gen(function* () {
      const { headers } = yield* (yield* stored()).get()
      assert.strictEqual(headers["content-type"], "text/plain")
      assert.strictEqual(headers["content-disposition"], "inline")
    })
  )

  const names: ReadonlyArray<readonly [filename: string, expected: string]> = [
    [
      "Übersicht 2026 €.pdf",
      "attachment; filename=\"_bersicht 2026 _.pdf\"; filename*=UTF-8''%C3%9Cbersicht%202026%20%E2%82%AC.pdf"
    ],
    ['a"b.pdf', "attachment; filename=\"a_b.pdf\"; filename*=UTF-8''a%22b.pdf"],
    ["100%25.pdf", "attachment; filename=\"100_25.pdf\"; filename*=UTF-8''100%2525.pdf"],
    ["it's (1)*.pdf", "attachment; filename=\"it's (1)*.pdf\"; filename*=UTF-8''it%27s%20%281%29%2A.pdf"],
    ["🌞's.pdf", "attachment; filename=\"_'s.pdf\"; filename*=UTF-8''%F0%9F%8C%9E%27s.pdf"],
    [
      "a\r\nSet-Cookie: x.pdf",
      "attachment; filename=\"a__Set-Cookie: x.pdf\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.pdf"
    ]
  ]
  for (const [filename, expected] of names) {
    it.live(`have the name ${JSON.stringify(filename)}`, () =>
      Effect.gen(function* () {
        const { headers } = yield* (yield* stored()).get({}, { filename })
        assert.strictEqual(headers["content-disposition"], expected)
      })
    )
  }

  const ranges: ReadonlyArray<readonly [range: string, status: number, body: string, contentRange?: string]> = [
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=4-", 206, "456789", "bytes 4-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-30", 206, text, "bytes 0-9/10"],
    ["bytes=9-99", 206, "9", "bytes 9-9/10"],
    ["bytes=3-2", 200, text],
    ["bytes=0-1,3-4", 200, text],
    ["items=0-1", 200, text],
    ["bytes=-", 200, text]
  ]
  for (const [range, status, body, contentRange] of ranges) {
    it.live(`answer the range ${range} with ${status}`, () =>
      Effect.gen(function* () {
        const answer = yield* (yield* stored()).get({ Range: range })
        assert.deepEqual([answer.status, answer.body, answer.headers["content-range"]], [status, body, contentRange])
      })
    )
  }

  it.live("refuse a range outside of the file", () =>
    Effect.gen(function* () {
      const { get } = yield* stored()
      for (const range of ["bytes=10-", "bytes=-0"]) {
        const { code, headers, status } = yield* get({ Range: range })
        assert.deepEqual([status, code, headers["content-range"]], [416, "range_not_satisfiable", "bytes */10"])
      }
      assert.strictEqual((yield* (yield* stored("")).get({ Range: "bytes=0-" })).status, 416)
    })
  )

  it.live("resume only the same file, and answer 304 for a current one", () =>
    Effect.gen(function* () {
      const { get } = yield* stored()
      const { etag = "" } = (yield* get()).headers
      assert.strictEqual((yield* get({ Range: "bytes=0-3", "If-Range": etag })).status, 206)
      assert.strictEqual((yield* get({ Range: "bytes=0-3", "If-Range": '"another"' })).status, 200)
      assert.strictEqual((yield* get({ "If-None-Match": "*" })).status, 304)
      const { body, status } = yield* get({ "If-None-Match": etag })
      assert.deepEqual([status, body], [304, ""])
    })
  )

  it.live("are refused with another encoding of the signature", () =>
    Effect.gen(function* () {
      const { signDownload } = yield* start()
      const url = yield* signDownload(aKey())
      const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      // The last of 43 digits has two unused bits.
      const other = url.slice(0, -1) + digits[digits.indexOf(url.at(-1) ?? "") ^ 1]
      for (const spelling of [other, `${url}=`, `${url}!`]) {
        const { code, status } = yield* send(spelling, "GET")
        assert.deepEqual([status, code], [403, "address_invalid"])
      }
      assert.strictEqual((yield* send(url, "GET")).code, "file_not_found")
    })
  )

  it.live("answer HEAD with all headers", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* (yield* stored()).get({ Range: "bytes=0-3" }, {}, "HEAD")
      assert.deepEqual(
        [status, body, headers["content-length"], headers["content-type"]],
        [200, "", "10", "text/plain"]
      )
    })
  )

  it.live("are refused for an absent file, a forged address and an expired address", () =>
    Effect.gen(function* () {
      const { key, signDownload, signUpload } = yield* stored()
      const absent = yield* send(yield* signDownload(aKey()), "GET")
      assert.deepEqual([absent.status, absent.code], [404, "file_not_found"])
      const url = yield* signDownload(key)
      for (const forged of [`${url}x`, url.replace("token=", "token=x"), url.slice(0, -2), `${url}.x`]) {
        assert.strictEqual((yield* send(forged, "GET")).code, "address_invalid")
      }
      assert.strictEqual((yield* send(urlOf(yield* signUpload(key)), "GET")).code, "address_invalid")
      const now = yield* DateTime.now
      const lapsed = yield* send(yield* signDownload(key, {}, { from: now, until: now }), "GET")
      assert.deepEqual([lapsed.status, lapsed.code], [403, "address_expired"])
    })
  )

  it.live("refuse incomplete files", () =>
    Effect.gen(function* () {
      const { directory, get, key } = yield* stored()
      yield* Effect.promise(() => truncate(join(directory, "objects", key), 5))
      assert.strictEqual((yield* get()).status, 404)
    })
  )
})
