/**
 * Detection of running uploads in a `DocumentStorage` that receives uploads itself.
 */
import { DocumentStorage, type OrganisationId, type StorageKey } from "@solar-sites/core"
import { Effect, Schedule } from "effect"
import { anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { aKey, anUpload, type FilePorts, isAccepted, signedUpload, someBytes, urlOf } from "./DocumentStorageSetup.ts"
import { StorageClient } from "./StorageClient.ts"

const none: ReadonlySet<StorageKey> = new Set()

export const documentUploadingCases: ReadonlyArray<ConformanceCase<FilePorts>> = [
  {
    name: "finds a running upload, for its organisation only, until it ends",
    check: Effect.gen(function* () {
      const [storage, client] = [yield* DocumentStorage, yield* StorageClient]
      const [owner, stranger] = [anOrganisationId(), anOrganisationId()]
      const [key, idle] = [aKey(owner), aKey(owner)]
      const find = (organisationId: OrganisationId) => storage.findUploading(organisationId, [idle, key])
      const signed = yield* signedUpload(owner, anUpload({ key }))
      assert.deepEqual(yield* find(owner), none, "before the upload")

      const seen: Array<ReadonlySet<StorageKey>> = []
      // The storage may need a moment to read the first bytes.
      const found = find(owner).pipe(
        Effect.filterOrFail(
          (keys) => keys.size > 0,
          () => new Error("no upload is found")
        ),
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 }),
        Effect.orElseSucceed(() => none)
      )
      const beforeLast = Effect.gen(function* () {
        seen.push(yield* found)
        seen.push(yield* find(stranger))
      }).pipe(Effect.orDie)
      const body = [someBytes(1_000), someBytes(1_000, 2)]
      const { status } = yield* client.put({ url: urlOf(signed), headers: signed.headers, body, beforeLast })
      assert.ok(isAccepted(status), `the upload is taken, not answered with ${status}`)
      assert.deepEqual(seen, [new Set([key]), none], "while it is under way: its organisation, another one")
      assert.deepEqual(yield* find(owner), none, "after the upload")
    })
  }
]
