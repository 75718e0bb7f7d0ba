/**
 * Uploads to a `DocumentStorage`: an address accepts one complete content, as declared.
 */
import { DocumentStorage } from "@solar-sites/core"
import { Effect, Exit, Option, Schedule } from "effect"
import { anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  aKey,
  anUpload,
  type FilePorts,
  holds,
  holdsNothing,
  isAccepted,
  send,
  signedUpload,
  someBytes,
  stored,
  urlOf,
  validity
} from "./DocumentStorageSetup.ts"
import { StorageClient } from "./StorageClient.ts"

const atOnce = { concurrency: "unbounded" } as const

/** Each of these uploads is refused and stores nothing; the declared one is accepted afterwards. */
const refusesThenTakes = Effect.fnUntraced(function* (
  declared: { readonly mimeType: string; readonly sizeBytes: number | null; readonly maximumBytes: number },
  wrong: ReadonlyArray<{
    readonly body: Uint8Array
    readonly headers?: Readonly<Record<string, string>>
    readonly what: string
  }>,
  right: Uint8Array
) {
  const organisationId = anOrganisationId()
  const key = aKey(organisationId)
  for (const { body, headers, what } of wrong) {
    const signed = yield* signedUpload(organisationId, anUpload({ key, ...declared }))
    const status = yield* send(signed, body, { ...signed.headers, ...headers })
    assert.ok(!isAccepted(status), `${what} is refused, not answered with ${status}`)
    yield* holdsNothing(organisationId, key, `${what} leaves nothing`)
  }
  const signed = yield* signedUpload(organisationId, anUpload({ key, ...declared }))
  const status = yield* send(signed, right)
  assert.ok(isAccepted(status), `what was declared is taken, not answered with ${status}`)
  yield* holds(organisationId, key, right, "what was declared")
})

export const documentUploadCases: ReadonlyArray<ConformanceCase<FilePorts>> = [
  {
    name: "signs a batch of twenty in its order, each for its own key",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      const uploads = Array.from({ length: 20 }, (_, index) =>
        anUpload({ key: aKey(organisationId), sizeBytes: 10 + index })
      )
      const batch = uploads.toSorted((a, b) => (a.key.slice(-8) < b.key.slice(-8) ? -1 : 1))
      const signed = yield* storage.signUploads(organisationId, batch, yield* validity())
      assert.equal(signed.length, 20, "as many addresses as uploads")
      for (const [index, { headers, path, token }] of signed.entries()) {
        assert.ok(URL.canParse(path) && !path.includes("?"), `${index}: an absolute address without a query`)
        assert.ok(
          path.endsWith(`/${batch[index]?.key}`),
          `${index}: the path ends in ${batch[index]?.key}, in the order asked, not ${path}`
        )
        assert.ok(token !== "" && !/[?#\s]/.test(token), `${index}: the token is what follows the question mark`)
        const names = Object.keys(headers).map((name) => name.toLowerCase())
        assert.ok(!names.includes("content-length") && !names.includes("host"), "clients set these headers themselves")
      }
      const bodies = batch.map(({ sizeBytes }, index) => someBytes(sizeBytes ?? 0, index))
      const sent = signed.map((one, index) => send(one, bodies[index] ?? new Uint8Array()))
      const statuses = yield* Effect.all(sent, { concurrency: 4 })
      assert.ok(statuses.every(isAccepted), `all of them are taken, not answered with ${statuses}`)
      for (const [index, { key }] of batch.entries()) {
        yield* holds(organisationId, key, bodies[index] ?? new Uint8Array(), `the file number ${index}`)
      }
      assert.deepEqual(yield* storage.signUploads(organisationId, [], yield* validity()), [], "nothing of nothing")
    })
  },
  {
    name: "keeps a file byte by byte, with or without a declared length",
    check: Effect.gen(function* () {
      for (const sizeBytes of [300_000, null]) {
        const organisationId = anOrganisationId()
        const key = aKey(organisationId)
        const bytes = someBytes(300_000)
        const signed = yield* signedUpload(organisationId, anUpload({ key, sizeBytes, maximumBytes: 300_000 }))
        yield* holdsNothing(organisationId, key, "before the upload")
        const status = yield* send(signed, bytes)
        assert.ok(isAccepted(status), `a file of the most bytes allowed is taken, not answered with ${status}`)
        yield* holds(organisationId, key, bytes, `declared as ${sizeBytes}`)
        const found = Option.getOrNull(yield* (yield* DocumentStorage).inspect(organisationId, key))
        assert.ok(
          found?.mimeType === null || found?.mimeType === "application/pdf",
          `its type, or none that is told, not ${found?.mimeType}`
        )
      }
    })
  },
  {
    name: "accepts an empty file",
    check: Effect.gen(function* () {
      for (const sizeBytes of [0, null]) {
        const organisationId = anOrganisationId()
        const key = aKey(organisationId)
        const signed = yield* signedUpload(organisationId, anUpload({ key, sizeBytes }))
        const status = yield* send(signed, new Uint8Array())
        assert.ok(isAccepted(status), `nothing is a content too, declared as ${sizeBytes}; it is not ${status}`)
        yield* holds(organisationId, key, new Uint8Array(), "an empty file is there, not absent")
      }
    })
  },
  {
    name: "refuses another length than the declared one",
    check: refusesThenTakes(
      { mimeType: "application/pdf", sizeBytes: 1_000, maximumBytes: 1_000_000 },
      [999, 1_001, 0, 10_000].map((length) => ({ body: someBytes(length), what: `${length} bytes` })),
      someBytes(1_000)
    )
  },
  {
    name: "refuses content where an empty file was declared",
    check: refusesThenTakes(
      { mimeType: "application/pdf", sizeBytes: 0, maximumBytes: 1_000_000 },
      [{ body: someBytes(1), what: "a single byte" }],
      new Uint8Array()
    )
  },
  {
    name: "refuses another media type than the declared one",
    check: refusesThenTakes(
      { mimeType: "image/png", sizeBytes: null, maximumBytes: 1_000_000 },
      ["text/html", "image/jpeg", "application/octet-stream"].map((type) => ({
        body: someBytes(100),
        headers: { "content-type": type },
        what: type
      })),
      someBytes(100)
    )
  },
  {
    name: "reports the content coding of a file, or refuses files with one",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      const signed = yield* signedUpload(organisationId, anUpload({ key }))
      const status = yield* send(signed, someBytes(100), { ...signed.headers, "content-encoding": "gzip" })
      const found = Option.getOrNull(yield* (yield* DocumentStorage).inspect(organisationId, key))
      const expected = isAccepted(status) ? "gzip" : undefined
      assert.equal(found?.contentCoding, expected, `an upload with a coding, answered with ${status}`)
    })
  },
  {
    name: "accepts one of twelve concurrent uploads, and keeps that one's content",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      const signed = yield* signedUpload(organisationId, anUpload({ key, sizeBytes: 50_000 }))
      const bodies = Array.from({ length: 12 }, (_, index) => someBytes(50_000, index))
      const statuses = yield* Effect.forEach(bodies, (body) => send(signed, body), atOnce)
      const won = bodies.filter((_, index) => isAccepted(statuses[index] ?? 0))
      assert.equal(won.length, 1, `one upload is accepted; they were answered with ${statuses}`)
      yield* holds(organisationId, key, won[0] ?? new Uint8Array(), "the accepted one")
    })
  },
  {
    name: "never replaces the first content",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      const bytes = someBytes(500)
      const first = yield* stored(organisationId, key, bytes)
      const again = yield* signedUpload(organisationId, anUpload({ key, sizeBytes: 500 }))
      for (const [what, signed] of Object.entries({ "the same address": first, "another address": again })) {
        const status = yield* send(signed, someBytes(500, 2))
        assert.ok(!isAccepted(status), `a second upload to ${what} is refused, not answered with ${status}`)
        yield* holds(organisationId, key, bytes, `after a second upload to ${what}`)
      }
    })
  },
  {
    name: "shows an upload only when it is complete",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      const signed = yield* signedUpload(organisationId, anUpload({ key }))
      const chunks = Array.from({ length: 16 }, (_, index) => someBytes(20_000, index))
      const seen: Array<number> = []
      const look = Effect.map(
        Effect.suspend(() => storage.inspect(organisationId, key)),
        Option.map(({ sizeBytes }) => seen.push(sizeBytes))
      )
      const watch = look.pipe(Effect.andThen(Effect.yieldNow), Effect.forever)
      const status = yield* Effect.raceFirst(send(signed, chunks), watch)
      // A storage may require a declared length.
      if (isAccepted(status)) yield* holds(organisationId, key, Buffer.concat(chunks), "chunk by chunk")
      else yield* holdsNothing(organisationId, key, `after a refusal with ${status}`)
      assert.ok(
        seen.every((size) => isAccepted(status) && size === 320_000),
        `all of the 320,000 bytes are seen or none, not ${seen}`
      )
    })
  },
  {
    name: "keeps nothing of an aborted upload, and accepts a complete one afterwards",
    check: Effect.gen(function* () {
      const client = yield* StorageClient
      const organisationId = anOrganisationId()
      for (const sizeBytes of [70_000, null]) {
        const key = aKey(organisationId)
        const bytes = someBytes(70_000)
        const upload = anUpload({ key, sizeBytes })
        const broken = yield* signedUpload(organisationId, upload)
        yield* client.breakOff({ url: urlOf(broken), headers: broken.headers, body: bytes })
        yield* holdsNothing(organisationId, key, "after the connection was cut")
        // The storage may need a moment to detect the aborted connection.
        const retry = Effect.flatMap(signedUpload(organisationId, upload), (signed) => send(signed, bytes))
        const retried = yield* retry.pipe(
          Effect.filterOrFail(isAccepted, (status) => new Error(`a new upload is answered with ${status}`)),
          Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 40 }),
          Effect.exit
        )
        assert.ok(Exit.isSuccess(retried), `a whole upload is taken afterwards: ${retried}`)
        yield* holds(organisationId, key, bytes, "the whole upload")
      }
    })
  }
]
