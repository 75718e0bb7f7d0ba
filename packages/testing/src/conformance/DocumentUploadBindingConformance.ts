/**
 * Scope of signed addresses of a `DocumentStorage`: one key, one method, one organisation, one
 * minute.
 */
import { DocumentStorage } from "@solar-sites/core"
import { DateTime, Effect, Exit } from "effect"
import { anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  aKey,
  anUpload,
  type FilePorts,
  fetched,
  holds,
  holdsNothing,
  isAccepted,
  lapsed,
  send,
  signedDownload,
  signedUpload,
  someBytes,
  stored,
  tampered,
  urlOf,
  validity
} from "./DocumentStorageSetup.ts"
import { StorageClient } from "./StorageClient.ts"

const bytes = someBytes(200)

export const documentUploadBindingCases: ReadonlyArray<ConformanceCase<FilePorts>> = [
  {
    name: "refuses an upload after its address has lapsed",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      const status = yield* send(yield* signedUpload(organisationId, anUpload({ key }), lapsed), bytes)
      assert.equal(status, 403, "a lapsed address is forbidden")
      yield* holdsNothing(organisationId, key, "after a late upload")
      const accepted = yield* send(yield* signedUpload(organisationId, anUpload({ key }), 30), bytes)
      assert.ok(isAccepted(accepted), `an address that still holds is answered with ${accepted}`)
      yield* holds(organisationId, key, bytes, "an upload in time")
    })
  },
  {
    name: "refuses the token of one key at another key",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const [key, other] = [aKey(organisationId), aKey(organisationId)]
      const stranger = anOrganisationId()
      const foreign = aKey(stranger)
      const [signed, signedOther] = [
        yield* signedUpload(organisationId, anUpload({ key })),
        yield* signedUpload(organisationId, anUpload({ key: other }))
      ]
      const elsewhere = { ...signed, path: signed.path.replace(key, foreign) }
      for (const mixed of [{ ...signed, token: signedOther.token }, { ...signed, path: signedOther.path }, elsewhere]) {
        assert.equal(yield* send(mixed, bytes), 403, "the token was signed for another path")
      }
      yield* holdsNothing(organisationId, key, "the key of the path")
      yield* holdsNothing(organisationId, other, "the key of the token")
      yield* holdsNothing(stranger, foreign, "another organisation's key")
      assert.ok(isAccepted(yield* send(signed, bytes)), "the right token at the right path is taken")
    })
  },
  {
    name: "refuses a token with any part changed or removed",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      const signed = yield* signedUpload(organisationId, anUpload({ key, sizeBytes: bytes.byteLength }))
      for (const { url, what } of [...tampered(urlOf(signed)), { url: signed.path, what: "no token at all" }]) {
        const { status } = yield* (yield* StorageClient).put({ url, headers: signed.headers, body: bytes })
        assert.ok(!isAccepted(status), `with ${what} it is answered with ${status}`)
        yield* holdsNothing(organisationId, key, `with ${what}`)
      }
      assert.ok(isAccepted(yield* send(signed, bytes)), "the token as it was signed is taken")
    })
  },
  {
    name: "does not extend an expired address by a changed token",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      const signed = yield* signedUpload(organisationId, anUpload({ key }), lapsed)
      for (const { url, what } of tampered(urlOf(signed))) {
        const { status } = yield* (yield* StorageClient).put({ url, headers: signed.headers, body: bytes })
        assert.ok(!isAccepted(status), `with ${what} it is answered with ${status}`)
      }
      yield* holdsNothing(organisationId, key, "after every one of them")
    })
  },
  {
    name: "refuses downloads with upload addresses and uploads with download addresses",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const [key, empty] = [aKey(organisationId), aKey(organisationId)]
      const upload = yield* stored(organisationId, key, bytes)
      const { status } = yield* fetched(urlOf(upload), upload.headers)
      assert.ok(!isAccepted(status), `a download by an upload address is answered with ${status}`)
      const url = yield* signedDownload(organisationId, { key: empty })
      const answer = yield* (yield* StorageClient).put({ url, headers: upload.headers, body: bytes })
      assert.ok(!isAccepted(answer.status), `an upload by a download address is answered with ${answer.status}`)
      yield* holdsNothing(organisationId, empty, "after an upload by a download address")
    })
  },
  {
    name: "signs nothing that reaches another organisation's files",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const [owner, stranger] = [anOrganisationId(), anOrganisationId()]
      const [key, empty] = [aKey(owner), aKey(owner)]
      yield* stored(owner, key, bytes)
      const valid = yield* validity()
      const batch = [anUpload({ key: aKey(stranger) }), anUpload({ key: empty })]
      const uploads = yield* Effect.exit(storage.signUploads(stranger, batch, valid))
      for (const signed of Exit.isSuccess(uploads) ? uploads.value : []) yield* send(signed, bytes)
      yield* holdsNothing(owner, empty, "an upload signed in another organisation's name")
      const download = { key, mimeType: null, filename: null }
      const url = yield* Effect.exit(storage.signDownload(stranger, download, valid))
      if (Exit.isSuccess(url)) {
        const { status } = yield* fetched(url.value)
        assert.ok(!isAccepted(status), `a download signed in another organisation's name is answered with ${status}`)
      }
    })
  },
  {
    name: "is valid for the requested time, not a fixed one",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      yield* stored(organisationId, key, bytes)
      const now = yield* DateTime.now
      const download = { key, mimeType: null, filename: null }
      for (const [minutesAgo, minutes, holdsStill] of [
        [200, 360, true],
        [4, 5, true],
        [4, 3, false],
        [370, 360, false]
      ] as const) {
        const from = DateTime.subtract(now, { minutes: minutesAgo })
        const until = DateTime.add(from, { minutes })
        const { status } = yield* fetched(yield* storage.signDownload(organisationId, download, { from, until }))
        const promise = `signed ${minutesAgo} minutes ago for ${minutes} minutes, answered with ${status}`
        assert.equal(isAccepted(status), holdsStill, promise)
      }
    })
  }
]
