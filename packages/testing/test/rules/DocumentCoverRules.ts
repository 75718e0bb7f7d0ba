/**
 * Cover of a site under concurrent writes in a `DocumentRepository`.
 */

import { Effect, Result } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  currentDocument,
  type DocumentPorts,
  insertDocument,
  siteInOwnOrganisation
} from "../../src/conformance/DocumentSetup.ts"
import { race, repeatedly } from "../../src/conformance/Expectations.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, changedAt, currentSite } from "../../src/conformance/Setup.ts"

export const documentCoverCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "keeps no cover image that is rejected or deleted while it arrives",
    check: repeatedly(
      Effect.gen(function* () {
        const documents = yield* documentMethods
        const site = yield* siteInOwnOrganisation
        for (const removal of ["failed", "deleted"] as const) {
          const image = yield* insertDocument(site, { type: "coverImage" })
          const { id, organisationId } = image
          const remove =
            removal === "failed"
              ? documents.step(organisationId, id, { to: "failed", failureReason: "blurred" }, { at: changedAgainAt })
              : documents.delete(organisationId, id, { at: changedAgainAt })
          yield* race(
            documents.step(organisationId, id, { to: "uploaded", sizeBytes: 1 }, { at: changedAt }),
            Effect.asVoid(remove)
          )
          const status = (yield* currentDocument(image))?.status ?? "deleted"
          const cover = (yield* currentSite(site))?.coverImageUrl ?? null
          assert.equal(cover, status === "uploaded" ? image.path : null, `the cover while the image is ${status}`)
        }
      })
    )
  },
  {
    name: "keeps the image that arrived last as the cover, whichever was there before",
    check: repeatedly(
      Effect.gen(function* () {
        const documents = yield* documentMethods
        const site = yield* siteInOwnOrganisation
        const images = [
          yield* insertDocument(site, { type: "coverImage" }),
          yield* insertDocument(site, { type: "coverImage" })
        ]
        const [first, second] = images.map(({ id, organisationId }) =>
          documents.step(organisationId, id, { to: "uploaded", sizeBytes: 1 }, { at: changedAt })
        )
        assert.ok(first && second)
        const results = yield* race(first, second)
        assert.ok(results.every(Result.isSuccess), "both arrive")
        const now = yield* currentSite(site)
        assert.ok(
          images.some(({ path }) => path === now?.coverImageUrl),
          "one of them is the cover"
        )
        assert.equal(now?.version, site.version + 2, "both changes of the cover count")
      })
    )
  }
]
