/**
 * Downloads from a `DocumentStorage`: media type, original name and validity of the address.
 */
import { Effect } from "effect"
import { anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  aKey,
  type FilePorts,
  fetched,
  isAccepted,
  lapsed,
  sameBytes,
  signedDownload,
  someBytes,
  stored,
  tampered
} from "./DocumentStorageSetup.ts"

const bytes = someBytes(2_000)

/** Names that a careless header truncates, parses as a parameter or cannot encode. */
const hostileFilenames: ReadonlyArray<string> = [
  "Handover.pdf",
  `quo"te.pdf`,
  `"; filename="evil.exe`,
  "back\\slash.pdf",
  `ends in a \\`,
  "semi;colon; filename*=UTF-8''evil.exe",
  "per%20cent%.pdf",
  "%E2%82%AC.pdf",
  "100% +plus & = , 'quoted' (1)*.pdf",
  "  spaces  .pdf ",
  "Übersicht Größe ñ.pdf",
  "e\u0301 \u00e9 ﬃ.pdf",
  "太陽光発電.pdf",
  "☀️🏡 👩‍👩‍👧 𠜎.pdf",
  "تقرير \u202egpj.exe",
  "<script>alert(1)</script>",
  "=?utf-8?B?ZXZpbC5leGU=?=",
  "$(touch x) `y` {z} [0] ~ ^ |",
  ".hidden",
  `${"長".repeat(85)}`
]

/** Parameters of a header with their values, parsed as in RFC 9110. */
const parametersOf = (header: string): ReadonlyMap<string, string> => {
  const parameters = new Map<string, string>()
  const rest = header.replace(/^[a-z]+/i, "")
  const one = /\s*;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gy
  let end = 0
  for (const match of rest.matchAll(one)) {
    const [whole, name = "", quoted, token = ""] = match
    assert.ok(!parameters.has(name.toLowerCase()), `${header}: ${name} stands there twice`)
    parameters.set(name.toLowerCase(), quoted === undefined ? token : quoted.replace(/\\(.)/g, "$1"))
    end = match.index + whole.length
  }
  assert.equal(rest.slice(end).trim(), "", `${header}: all of it can be read`)
  return parameters
}

const expectAttachment = (header: string | undefined, filename: string): void => {
  assert.ok(header !== undefined && /^attachment\s*;/i.test(header), `${filename} is an attachment, not ${header}`)
  assert.match(header, /^[\x20-\x7e]*$/, "a header is plain ASCII")
  const parameters = parametersOf(header)
  const extended = parameters.get("filename*")
  const plain = parameters.get("filename")
  assert.ok(plain !== undefined && plain !== "", `${header}: old clients read filename`)
  if (extended === undefined) {
    assert.equal(plain, filename, "without filename* the name is told as it is")
    return
  }
  const [, encoded] = /^UTF-8''((?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+)$/i.exec(extended) ?? []
  assert.ok(encoded !== undefined, `${extended}: written as RFC 8187 has it`)
  assert.equal(decodeURIComponent(encoded), filename, "filename* is the original name")
}

const mimeTypeOf = (header: string | undefined): string => (header ?? "").split(";")[0]?.trim() ?? ""

const refuses = Effect.fnUntraced(function* (url: string, promise: string) {
  const { body, status } = yield* fetched(url)
  assert.ok(!isAccepted(status), `${promise}, not answered with ${status}`)
  assert.ok(
    !Buffer.from(body).includes(Buffer.from(bytes.subarray(0, 100))),
    `${promise}, and shows nothing of the file`
  )
})

export const documentDownloadCases: ReadonlyArray<ConformanceCase<FilePorts>> = [
  {
    name: "returns a file as an attachment with its original name, for any name",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      yield* stored(organisationId, key, bytes)
      for (const filename of hostileFilenames) {
        const url = yield* signedDownload(organisationId, { key, filename, mimeType: "application/pdf" })
        const { body, headers, status } = yield* fetched(url)
        assert.ok(isAccepted(status), `${filename}: answered with ${status}`)
        sameBytes(body, bytes, filename)
        expectAttachment(headers["content-disposition"], filename)
      }
    })
  },
  {
    name: "returns a file inline when no name is requested",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      yield* stored(organisationId, key, bytes, "image/png")
      const { headers, status } = yield* fetched(yield* signedDownload(organisationId, { key }))
      assert.ok(isAccepted(status), `answered with ${status}`)
      assert.match(headers["content-disposition"] ?? "inline", /^inline/i, "a picture can be shown")
    })
  },
  {
    name: "answers with the media type that is asked for, or the one it was stored with",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      yield* stored(organisationId, key, bytes, "image/png")
      for (const mimeType of [null, "application/octet-stream", "text/plain"]) {
        const { headers } = yield* fetched(yield* signedDownload(organisationId, { key, mimeType }))
        assert.equal(mimeTypeOf(headers["content-type"]), mimeType ?? "image/png")
      }
    })
  },
  {
    name: "refuses a download after its address has lapsed",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      yield* stored(organisationId, key, bytes)
      const download = { key, filename: "Handover.pdf" }
      const url = yield* signedDownload(organisationId, download, lapsed)
      yield* refuses(url, "a lapsed address is refused")
      for (const { url: changed, what } of tampered(url)) yield* refuses(changed, `lapsed, with ${what}, it is refused`)
      const { status } = yield* fetched(yield* signedDownload(organisationId, download, 30))
      assert.ok(isAccepted(status), `an address that still holds is answered with ${status}`)
    })
  },
  {
    name: "refuses a download by a token that was changed, or signed for another key",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const [key, other] = [aKey(organisationId), aKey(organisationId)]
      for (const stands of [key, other]) yield* stored(organisationId, stands, bytes)
      const url = yield* signedDownload(organisationId, { key, filename: "a.pdf", mimeType: "application/pdf" })
      yield* refuses(url.replace(key, other), "at another key it is refused")
      yield* refuses(url.split("?")[0] ?? "", "without a token it is refused")
      for (const { url: changed, what } of tampered(url)) yield* refuses(changed, `with ${what} it is refused`)
      assert.ok(isAccepted((yield* fetched(url)).status), "as it was signed it holds, more than once")
      assert.ok(isAccepted((yield* fetched(url)).status), "as it was signed it holds, more than once")
    })
  },
  {
    name: "returns nothing for an absent file",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const url = yield* signedDownload(organisationId, { key: aKey(organisationId), filename: "a.pdf" })
      yield* refuses(url, "a download of nothing is refused")
    })
  }
]
