/**
 * Status changes of documents in a `DocumentRepository`.
 */

import {
  type Document,
  DocumentNotFound,
  type DocumentStatus,
  type DocumentStep,
  InvalidTransition,
  transitions,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Result } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  applySteps,
  claimAndReopen,
  currentDocument,
  type DocumentPorts,
  farFuture,
  insertDocument,
  insertDocumentIn,
  insertRefusedDocuments,
  siteInOwnOrganisation,
  statuses
} from "../../src/conformance/DocumentSetup.ts"
import { race, refused, repeatedly } from "../../src/conformance/Expectations.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, changedAt, hostileTexts } from "../../src/conformance/Setup.ts"
import { aDocument, anOrganisationId } from "../../src/fixtures.ts"

const targets = ["uploaded", "failed", "approved", "completed"] as const

const stepOf = (to: DocumentStep["to"]): DocumentStep => {
  if (to === "uploaded") return { to, sizeBytes: 77 }
  return to === "failed" ? { to, failureReason: "blurred" } : { to }
}

const afterStep = (before: Document, { to, ...members }: DocumentStep): Document =>
  aDocument({ ...before, ...members, status: to, updatedAt: changedAgainAt, version: before.version + 1 })

const refusedTransition = Effect.fnUntraced(function* (
  effect: Effect.Effect<Document, unknown>,
  from: DocumentStatus,
  to: DocumentStatus
) {
  const refusal = yield* refused(effect, InvalidTransition, `from ${from} to ${to}`)
  const { allowed } = refusal
  assert.deepEqual([refusal.from, refusal.to, [...allowed].sort()], [from, to, [...transitions[from]].sort()])
})

export const documentStepCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "allows exactly the transitions of the state machine",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const options = { at: changedAgainAt }
      for (const from of statuses) {
        for (const to of targets) {
          const before =
            from === "failed" ? (yield* insertRefusedDocuments(site)).rejected : yield* insertDocumentIn(site, from)
          const step = repository.step(site.organisationId, before.id, stepOf(to), options)
          if (transitions[from].includes(to)) {
            const after = yield* step
            assert.deepEqual(after, afterStep(before, stepOf(to)), `from ${from} to ${to}: these members, no others`)
            assert.deepEqual(yield* currentDocument(before), after, "the answer is what is stored")
          } else {
            yield* refusedTransition(step, from, to)
            assert.deepEqual(yield* currentDocument(before), before, "a refused step changes nothing")
          }
        }
      }
    })
  },
  {
    name: "reopens failed and pending documents only",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      for (const from of statuses) {
        const before = yield* insertDocumentIn(site, from)
        const reopen = repository.reopen(site.organisationId, before.id, {
          at: changedAgainAt,
          addressExpiresAt: farFuture
        })
        if (from === "pending") {
          assert.deepEqual(yield* reopen, before, "an address is no part of a document that is pending already")
        } else if (from === "failed") {
          const after = aDocument({
            ...before,
            status: "pending",
            updatedAt: changedAgainAt,
            version: before.version + 1
          })
          assert.deepEqual(yield* reopen, after, "a failed document is pending again")
          assert.deepEqual(yield* currentDocument(before), after, "the answer is what is stored")
        } else {
          yield* refusedTransition(reopen, from, "pending")
          assert.deepEqual(yield* currentDocument(before), before, "a refused reopening changes nothing")
        }
      }
    })
  },
  {
    name: "restores the declared size when it reopens, and none after a rejection",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const reopen = (document: Document) => claimAndReopen(document, changedAgainAt)
      for (const sizeBytes of [1_234, 0, null]) {
        const document = yield* insertDocument(site, { sizeBytes })
        yield* applySteps(document, { to: "failed", failureReason: "nothing came" })
        const once = yield* reopen(document)
        assert.deepEqual([once.sizeBytes, once.failureReason], [sizeBytes, null], "what was declared at first")
        yield* applySteps(document, "failed")
        assert.equal((yield* reopen(document)).sizeBytes, sizeBytes, "the second time as well")
        const rejected = yield* applySteps(document, { to: "uploaded", sizeBytes: 99 }, { to: "failed" })
        assert.equal(rejected.sizeBytes, 99, "a rejected file still lies there")
        assert.equal((yield* reopen(document)).sizeBytes, null, "a corrected file has another length")
        yield* applySteps(document, "failed")
        assert.equal((yield* reopen(document)).sizeBytes, null, "nothing is declared from then on")
        assert.equal((yield* reopen(document)).sizeBytes, null, "nor while it stays pending")
      }
    })
  },
  {
    name: "stores the size and the reason of a step",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      for (const sizeBytes of [0, 5_000_000_000, Number.MAX_SAFE_INTEGER]) {
        const uploaded = yield* applySteps(yield* insertDocument(site, { sizeBytes: null }), {
          to: "uploaded",
          sizeBytes
        })
        assert.equal((yield* currentDocument(uploaded))?.sizeBytes, sizeBytes)
      }
      for (const failureReason of [...hostileTexts, "x".repeat(500)]) {
        const rejected = yield* applySteps(yield* insertDocument(site), "uploaded", { to: "failed", failureReason })
        assert.equal((yield* currentDocument(rejected))?.failureReason, failureReason)
      }
    })
  },
  {
    name: "refuses an absent document before a stale version, and that before a transition",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const document = yield* insertDocument(site, { version: 3 })
      const stale = { at: changedAgainAt, expectedVersions: [2, 4] }
      for (const to of targets) {
        const absent = repository.step(organisationId, aDocument().id, { to }, stale)
        yield* refused(absent, DocumentNotFound, "the document is absent")
        for (const expectedVersions of [stale.expectedVersions, []]) {
          const step = repository.step(organisationId, document.id, { to }, { at: changedAgainAt, expectedVersions })
          const { actual } = yield* refused(step, VersionMismatch, `to ${to} from ${JSON.stringify(expectedVersions)}`)
          assert.equal(actual, 3, "the refusal tells the version there is")
        }
      }
      const fresh = { at: changedAgainAt, expectedVersions: [1, 3] }
      yield* refusedTransition(
        repository.step(organisationId, document.id, { to: "approved" }, fresh),
        "pending",
        "approved"
      )
      assert.deepEqual(yield* currentDocument(document), document, "a refused step changes nothing")
      const after = yield* repository.step(organisationId, document.id, { to: "failed" }, fresh)
      assert.equal(after.version, 4, "one of the expected versions is enough")
    })
  },
  {
    name: "changes no document of another organisation, nor one that is not there",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const document = yield* insertDocument(yield* siteInOwnOrganisation)
      const failedOne = yield* insertDocumentIn(yield* siteInOwnOrganisation, "failed")
      const bystander = yield* insertDocument(yield* siteInOwnOrganisation)
      for (const [owner, { id }] of [
        [(yield* siteInOwnOrganisation).organisationId, document],
        [(yield* siteInOwnOrganisation).organisationId, failedOne],
        [anOrganisationId(), document],
        [bystander.organisationId, aDocument()]
      ] as const) {
        const attempts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          repository.step(owner, id, { to: "uploaded", sizeBytes: 1 }, { at: changedAt }),
          repository.reopen(owner, id, { at: changedAt, addressExpiresAt: farFuture }),
          repository.delete(owner, id, { at: changedAt }),
          repository.delete(owner, id, { at: changedAt, expectedVersions: [1] })
        ]
        for (const attempt of attempts) {
          const { documentId } = yield* refused(attempt, DocumentNotFound, "an absent document")
          assert.equal(documentId, id, "the refusal names the document")
        }
      }
      for (const one of [document, failedOne, bystander]) assert.deepEqual(yield* currentDocument(one), one)
    })
  },
  {
    name: "lets one of two conflicting concurrent steps win",
    check: repeatedly(
      Effect.gen(function* () {
        const repository = yield* documentMethods
        const site = yield* siteInOwnOrganisation
        for (const [from, steps] of [
          ["uploaded", ["approved", "failed"]],
          ["pending", ["uploaded", "uploaded"]],
          ["pending", ["failed", "failed"]]
        ] as const) {
          const before = yield* insertDocumentIn(site, from)
          const [first, second] = steps.map((to) =>
            repository.step(site.organisationId, before.id, stepOf(to), { at: changedAgainAt })
          )
          assert.ok(first && second, "there are two steps")
          const results = yield* race(first, second)
          const won = results.filter(Result.isSuccess)
          assert.equal(won.length, 1, `one of ${steps} is taken`)
          const lost = results.find(Result.isFailure)?.failure
          assert.ok(lost instanceof InvalidTransition, `the other is refused as a transition, not ${lost}`)
          assert.equal(lost.from, won[0]?.success.status, "the refusal tells the state the winner made")
          assert.deepEqual(yield* currentDocument(before), won[0]?.success, "the winner's state is what is stored")
        }
      })
    )
  },
  {
    name: "lets one of several concurrent steps of the same expected version win",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const document = yield* insertDocument(site)
      const options = { at: changedAgainAt, expectedVersions: [1] }
      const results = yield* Effect.forEach(
        ["uploaded", "failed", "uploaded", "failed"] as const,
        (to) => Effect.result(repository.step(site.organisationId, document.id, stepOf(to), options)),
        { concurrency: "unbounded" }
      )
      assert.equal(results.filter(Result.isSuccess).length, 1, "one step found the version it expected")
      for (const { failure } of results.filter(Result.isFailure)) {
        assert.ok(
          failure instanceof VersionMismatch && failure.actual === 2,
          `the others find version 2, not ${failure}`
        )
      }
    })
  }
]
