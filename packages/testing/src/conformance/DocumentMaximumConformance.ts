/**
 * Maximum size without a declared length in a `DocumentStorage` that counts bytes.
 */
import { Effect } from "effect"
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
  someBytes
} from "./DocumentStorageSetup.ts"

const maximumBytes = 10_000

export const documentMaximumCases: ReadonlyArray<ConformanceCase<FilePorts>> = [
  {
    name: "refuses more bytes than the maximum, with or without a declared length, and stores nothing",
    check: Effect.gen(function* () {
      const organisationId = anOrganisationId()
      const key = aKey(organisationId)
      const tooLarge = someBytes(maximumBytes + 1)
      const chunks = Array.from({ length: 6 }, (_, index) => someBytes(2_000, index))
      for (const body of [tooLarge, [tooLarge.subarray(0, 9_000), tooLarge.subarray(9_000)], chunks]) {
        const status = yield* send(yield* signedUpload(organisationId, anUpload({ key, maximumBytes })), body)
        assert.ok(!isAccepted(status), `more than the maximum is refused, not answered with ${status}`)
        yield* holdsNothing(organisationId, key, "what is too large leaves nothing")
      }
      const status = yield* send(yield* signedUpload(organisationId, anUpload({ key, maximumBytes })), chunks.slice(1))
      assert.ok(isAccepted(status), `as much as is allowed is taken, not answered with ${status}`)
      yield* holds(organisationId, key, Buffer.concat(chunks.slice(1)), "the most that is allowed")
    })
  }
]
