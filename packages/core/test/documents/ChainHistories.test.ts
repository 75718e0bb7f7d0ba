import { describe, expect, it } from "@effect/vitest"
import type { DocumentRecord } from "@solar-sites/core"
import { Effect } from "effect"
import { documentsIn, hasArrived, property, sampleSteps } from "./histories.ts"
import type { RecordStore } from "./recordStore.ts"

const inStore = (store: RecordStore) => {
  const documents = documentsIn(store)
  const byId = new Map<string | null, DocumentRecord>(documents.map((one) => [one.id, one]))
  return { documents, arrived: documents.filter(hasArrived), byId }
}

/** The document and its predecessors, ten documents at most. */
const revisionsOf = (document: DocumentRecord, byId: ReadonlyMap<string | null, DocumentRecord>) => {
  const line = [document]
  for (let next = byId.get(document.replaces); next && line.length < 10; next = byId.get(next.replaces)) line.push(next)
  return line
}

/** The arrived documents by the oldest one of their chain. */
const chainsOf = (store: RecordStore): ReadonlyArray<ReadonlyArray<DocumentRecord>> => {
  const { arrived, byId } = inStore(store)
  return [...Map.groupBy(arrived, (one) => revisionsOf(one, byId).at(-1)?.id).values()]
}

describe("from any history of commands", () => {
  property("no document names one that is not there, nor itself", (step) => {
    const { byId, documents } = inStore(step.after)
    for (const { id, replacedBy, replaces } of documents) {
      for (const named of [replaces, replacedBy]) {
        expect(named === null || (byId.has(named) && named !== id)).toBe(true)
      }
    }
  })

  property("an arrived document and its predecessor name each other", (step) => {
    const { arrived, byId, documents } = inStore(step.after)
    for (const { id, replaces } of arrived) {
      if (replaces !== null) expect(byId.get(replaces)?.replacedBy).toBe(id)
    }
    for (const { id, replacedBy } of documents) {
      if (replacedBy !== null) expect(byId.get(replacedBy)).toMatchObject({ replaces: id })
    }
  })

  property("only arrived documents have a successor, and it has arrived", (step) => {
    const { byId, documents } = inStore(step.after)
    for (const document of documents) {
      const successor = byId.get(document.replacedBy)
      if (successor !== undefined) expect([document, successor].every(hasArrived)).toBe(true)
    }
  })

  property("each chain is one line, in which one document is current", (step) => {
    const { byId } = inStore(step.after)
    for (const chain of chainsOf(step.after)) {
      const current = chain.filter(({ replacedBy }) => replacedBy === null)
      expect(current).toHaveLength(1)
      const line = current.flatMap((one) => revisionsOf(one, byId))
      expect(new Set(line.map(({ id }) => id))).toEqual(new Set(chain.map(({ id }) => id)))
      expect(line).toHaveLength(chain.length)
    }
  })

  property("a document notices when a further one names it", (step) => {
    const [earlier, later] = [inStore(step.before), inStore(step.after)]
    for (const { id, replaces } of later.documents) {
      const [before, after] = [earlier.byId.get(replaces), later.byId.get(replaces)]
      if (before === undefined || after === undefined || earlier.byId.get(id)?.replaces === replaces) continue
      expect(after.replacementRequests).toBe(before.replacementRequests + 1)
    }
  })

  it.effect("chains of three come to pass, and documents that arrive after another successor", () =>
    Effect.gen(function* () {
      const steps = yield* sampleSteps
      expect(steps.filter(({ after }) => chainsOf(after).some(({ length }) => length > 2)).length).toBeGreaterThan(50)
      const tooLate = steps.filter(({ change, name }) => {
        return name === "arrive" && change?.events.some(({ type }) => type === "document.failed")
      })
      expect(tooLate.length).toBeGreaterThan(10)
      const joined = steps.filter(({ change, name }) => {
        const types = change?.events.map(({ type }) => type) ?? []
        return name !== "rename" && types.filter((type) => type === "document.updated").length > 1
      })
      expect(joined.length).toBeGreaterThan(10)
    })
  )
})
