import { describe, expect, it } from "@effect/vitest"
import { DocumentId, documentRecords, Records, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Context, DateTime, Effect, Layer } from "effect"
import { setup } from "./setup.ts"

describe("a requested change of a document", () => {
  it.effect("repeats a change of metadata that another call has overtaken, and refuses an invalid filename", () => {
    let loads = 0
    // Another call changes the document after the rule has read it and before the change is committed.
    const adapters = Layer.effectContext(
      Effect.gen(function* () {
        const context = yield* Layer.build(MemoryAdapters.layer)
        const records = Context.get(context, Records)
        const others = yield* Effect.provide(documentRecords, context)
        const load: typeof records.load = Effect.fnUntraced(function* (operation, organisationId, finds, options) {
          const found = yield* records.load(operation, organisationId, finds, options)
          if (operation === "DocumentRepository.update" && loads++ === 0) {
            const [id = ""] = finds.flatMap(({ values }) => ("of" in values ? [] : values))
            const change = { at: yield* DateTime.now }
            yield* Effect.orDie(others.update(organisationId, DocumentId.make(id), { note: "Overtaken" }, change))
          }
          return found
        })
        return Context.add(context, Records, { ...records, load })
      })
    )
    return Effect.gen(function* () {
      const { asPerson, documents, issueOne } = yield* setup
      const { documentId } = yield* issueOne()
      const rename = (filename: string) => documents.changeStatus(documentId, { filename }).pipe(asPerson)
      expect(yield* rename("new.pdf")).toMatchObject({ filename: "new.pdf", note: "Overtaken", version: 3 })
      expect(loads, "stale once, and repeated").toBe(2)
      expect(yield* Effect.flip(rename("a/b.pdf"))).toMatchObject({
        faults: [{ pointer: "/filename", code: "invalid_filename" }]
      })
    }).pipe(Effect.provide(SolarSitesServices.layer.pipe(Layer.provideMerge(adapters))))
  })
})
