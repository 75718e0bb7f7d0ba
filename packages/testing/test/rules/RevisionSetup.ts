/**
 * Setup of the cases about chains of revisions.
 */

import type { Document, Site } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import { currentDocument, insertDocumentIn } from "../../src/conformance/DocumentSetup.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt } from "../../src/conformance/Setup.ts"

/** Inserts uploaded documents; each replaces the one before. Oldest first. */
export const insertChain = Effect.fnUntraced(function* (site: Site, length: number) {
  const chain: Array<Document> = []
  for (let index = 0; index < length; index++) {
    chain.push(yield* insertDocumentIn(site, "uploaded", { replaces: chain.at(-1)?.id ?? null }))
  }
  return yield* stored(...chain)
})

/** The documents as they are stored. */
export const stored = (...documents: ReadonlyArray<Document>) =>
  Effect.forEach(documents, (document) =>
    Effect.map(currentDocument(document), (found) => {
      assert.ok(found, "the document is stored")
      return found
    })
  )

/** `replaces` and `replacedBy` of each. */
export const linksOf = (documents: ReadonlyArray<Document>) =>
  documents.map(({ replacedBy, replaces }) => ({ replaces, replacedBy }))

export const remove = Effect.fnUntraced(function* ({ id, organisationId }: Document) {
  yield* (yield* documentMethods).delete(organisationId, id, { at: changedAgainAt })
})

export const reject = Effect.fnUntraced(function* ({ id, organisationId }: Document) {
  return yield* (yield* documentMethods).step(organisationId, id, { to: "failed" }, { at: changedAgainAt })
})
