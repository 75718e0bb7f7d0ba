/**
 * Concurrent changes of one chain of revisions in a `DocumentRepository`.
 */

import { type Document, DocumentNotFound, type DocumentRepository, type Records } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  applySteps,
  currentDocument,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocument,
  insertDocumentIn,
  siteInOwnOrganisation
} from "../../src/conformance/DocumentSetup.ts"
import { race, repeatedly, succeeded, succeededOrRefused } from "../../src/conformance/Expectations.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { insertChain, linksOf, reject, remove, stored } from "./RevisionSetup.ts"

type Change = Effect.Effect<unknown, unknown, DocumentRepository | Records>

const all = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(effects, { concurrency: "unbounded" })

/**
 * Expects links that agree: each successor names its predecessor, and each arrived document is a
 * successor.
 */
const expectWhole = Effect.fnUntraced(function* (documents: ReadonlyArray<Document>) {
  const found = yield* Effect.map(Effect.forEach(documents, currentDocument), (all) => all.flatMap((one) => one ?? []))
  const byId = new Map(found.map((one) => [one.id, one]))
  for (const { id, replacedBy, replaces, status } of found) {
    if (replacedBy !== null) assert.equal(byId.get(replacedBy)?.replaces, id, "the successor names its predecessor")
    if (replaces === null) continue
    assert.ok(byId.has(replaces), "the predecessor is there")
    if (status === "uploaded") assert.equal(byId.get(replaces)?.replacedBy, id, "the predecessor names its successor")
  }
  return found
})

export const replacementRaceCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "lets one of several concurrent replacements of a document win",
    check: repeatedly(
      Effect.gen(function* () {
        const site = yield* siteInOwnOrganisation
        const old = yield* insertDocumentIn(site, "uploaded")
        const pending = yield* Effect.forEach([1, 2, 3, 4], () => insertDocument(site, { replaces: old.id }))
        const answers = yield* all(pending.map((one) => applySteps(one, { to: "uploaded", sizeBytes: 1 })))
        const [winner, ...others] = answers.filter(({ status }) => status === "uploaded")
        assert.deepEqual(others, [], "one is uploaded")
        for (const { failureReason, id } of answers) {
          assert.equal(failureReason, id === winner?.id ? null : "already_replaced")
        }
        assert.deepEqual(
          (yield* stored(old)).map(({ replacedBy }) => replacedBy),
          [winner?.id]
        )
        assert.deepEqual(yield* stored(...answers), answers, "the answers are what is stored")
      })
    )
  },
  {
    name: "joins a chain whole when neighbours are deleted at the same time",
    check: repeatedly(
      Effect.gen(function* () {
        const site = yield* siteInOwnOrganisation
        const chain = yield* insertChain(site, 6)
        yield* all(chain.slice(1, 5).map(remove))
        const ends = [chain[0], chain[5]].flatMap((one) => one ?? [])
        assert.deepEqual(linksOf(yield* stored(...ends)), [
          { replaces: null, replacedBy: ends[1]?.id },
          { replaces: ends[0]?.id, replacedBy: null }
        ])
      })
    )
  },
  {
    name: "keeps a chain whole when a predecessor is deleted while its successor is uploaded",
    check: repeatedly(
      Effect.gen(function* () {
        const site = yield* siteInOwnOrganisation
        const [first, middle] = yield* insertChain(site, 2)
        assert.ok(first && middle, "there are two")
        const pending = yield* insertDocument(site, { replaces: middle.id })
        const [uploaded, removed] = yield* race(applySteps(pending, "uploaded"), remove(middle))
        assert.equal(succeeded(uploaded, "the upload").status, "uploaded")
        succeeded(removed, "the deletion")
        assert.deepEqual(linksOf(yield* stored(first, pending)), [
          { replaces: null, replacedBy: pending.id },
          { replaces: first.id, replacedBy: null }
        ])
      })
    )
  },
  {
    name: "names no deleted document when it is deleted while its replacement is inserted",
    check: repeatedly(
      Effect.gen(function* () {
        const { insertMany } = yield* documentMethods
        const site = yield* siteInOwnOrganisation
        const [first, last] = yield* insertChain(site, 2)
        assert.ok(first && last, "there are two")
        const replacements = Array.from({ length: 4 }, () => documentOf(site, { replaces: last.id }))
        const insert = (one: Document) => insertMany(site.organisationId, site.id, [one], farFuture)
        const changes: ReadonlyArray<Change> = [...replacements.map(insert), remove(last)]
        yield* all(changes)
        for (const { replaces } of yield* stored(...replacements)) {
          assert.ok(replaces === first.id || replaces === null, "not the deleted one")
        }
        yield* expectWhole([first, ...replacements])
      })
    )
  },
  {
    name: "keeps chains whole under all changes at the same time",
    check: repeatedly(
      Effect.gen(function* () {
        const site = yield* siteInOwnOrganisation
        const chain = yield* insertChain(site, 5)
        const pending = yield* Effect.forEach(chain, ({ id }) => insertDocument(site, { replaces: id }))
        const changes: ReadonlyArray<Change> = [
          ...chain.map((one, index): Change => (index % 2 === 0 ? remove(one) : reject(one))),
          ...pending.map((one) => applySteps(one, "uploaded")),
          ...pending.slice(3).map(remove)
        ]
        const results = yield* all(changes.map((change) => Effect.result(change)))
        for (const result of results) succeededOrRefused(result, DocumentNotFound, "no change deadlocks")
        yield* expectWhole([...chain, ...pending])
      })
    )
  }
]
