import { describe, expect, it } from "@effect/vitest"
import { DocumentStorage, withSeededIds } from "@solar-sites/core"
import { Effect, Fiber, Option } from "effect"
import { elsewhere, stoppableServices } from "./latches.ts"
import { anyDocumentId, bytes, setup } from "./setup.ts"

describe("the claim of a file", () => {
  it.effect("is not that of a repeated request of the same millisecond, which had nothing to claim", () => {
    const { layer, stopBefore } = stoppableServices()
    return Effect.gen(function* () {
      const { asPerson, documents, issue, person, send } = yield* setup
      // The clock of the test stands still, so that all claims end at the same instant.
      const request = withSeededIds(anyDocumentId)(Effect.map(issue({}), ({ results }) => results))
      const sendTo = Effect.fnUntraced(function* ([result]: Effect.Success<typeof request>, length: number) {
        return result?.success === true && (yield* send(result, bytes(length)))
      })
      const first = yield* request
      expect(yield* sendTo(first, 5)).toBe(true)
      const id = first[0]?.success === true ? first[0].documentId : anyDocumentId
      const find = documents.get(id).pipe(asPerson)
      const remove = documents.delete(id).pipe(asPerson)
      const { path } = yield* find
      yield* remove

      const claiming = yield* stopBefore("DocumentRepository.claimFile")
      const late = yield* Effect.forkChild(elsewhere(request))
      yield* claiming.reached
      expect(yield* sendTo(yield* request, 4)).toBe(true)
      const inserting = yield* stopBefore("DocumentRepository.insertMany")
      yield* claiming.release
      yield* inserting.reached
      yield* remove
      const deleting = yield* stopBefore("DocumentStorage.delete")
      const last = yield* Effect.forkChild(request)
      yield* deleting.reached
      yield* inserting.release
      expect(yield* Fiber.join(late)).toMatchObject([{ success: false }])
      yield* documents.objectArrived(path)
      yield* deleting.release

      expect(yield* sendTo(yield* Fiber.join(last), 3)).toBe(true)
      yield* documents.objectArrived(path)
      expect(yield* find).toMatchObject({ status: "uploaded", sizeBytes: 3 })
      const stored = yield* (yield* DocumentStorage).inspect(person.organisationId, path)
      expect(Option.getOrNull(stored)).toMatchObject({ sizeBytes: 3 })
    }).pipe(Effect.provide(layer))
  })
})
