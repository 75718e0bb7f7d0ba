/**
 * Insertion and look-up of documents, and their chains, in a `DocumentRepository`.
 */

import { CalendarDate, type Document, DocumentType, OmRecordId, UserId } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocumentIn,
  purposes,
  siteInOwnOrganisation
} from "./DocumentSetup.ts"
import { documentMethods } from "./Methods.ts"
import { changedAgainAt, changedAt, hostileTexts } from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

const everything = { after: null, limit: 1_000 }

const keeps = Effect.fnUntraced(function* (variants: ReadonlyArray<Partial<Document>>) {
  const repository = yield* documentMethods
  const site = yield* siteInOwnOrganisation
  const { organisationId } = site
  const inserted = variants.map((variant) => documentOf(site, variant))
  yield* repository.insertMany(organisationId, site.id, inserted, farFuture)
  for (const document of inserted) {
    assert.deepEqual(yield* repository.findById(organisationId, document.id), Option.some(document), "after an insert")
  }
  assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, inserted, "in a list")
})

const filenames: ReadonlyArray<string> = [
  ...hostileTexts,
  " leading and trailing ",
  "..",
  "../../etc/passwd",
  "C:\\CON.pdf",
  "a/b\\c",
  "line\nbreak\r\ttab",
  "\u0001\u001b[31m\u007f\u0085",
  "\u202egpj.exe \u2066 \ufeff \ufffd \uffff",
  "%00 %2e%2e %ff",
  "",
  " ",
  "長".repeat(85),
  "x".repeat(255),
  "😀".repeat(63)
]

export const documentRecordsCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  { name: "keeps a filename exactly as it is", check: keeps(filenames.map((filename) => ({ filename }))) },
  ...inBothZones({
    name: "keeps every member, set or null",
    check: keeps([
      { sizeBytes: null },
      { sizeBytes: 0 },
      { sizeBytes: 2 ** 31 },
      { sizeBytes: Number.MAX_SAFE_INTEGER },
      { mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
      { version: 7 },
      ...["", "Line 1\nLine 2", ...hostileTexts, "😀".repeat(2_000)].map((note) => ({ note })),
      ...["0001-01-01", "1582-10-10", "2024-02-29", "9999-12-31"]
        .map((day) => CalendarDate.make(day))
        .flatMap((day) => [{ validFrom: day }, { validUntil: day }, { validFrom: day, validUntil: day }]),
      ...purposes.map((type) => ({ type })),
      ...DocumentType.literals.map((documentType) => ({ documentType })),
      ...hostileTexts.map((text) => ({ uploadedBy: UserId.make(text), omRecordId: OmRecordId.make(text) })),
      ...["1970-01-01T00:00:00.000Z", "2026-03-29T01:30:00.001Z", "2400-02-29T12:00:00.999Z"].map((instant) => ({
        createdAt: DateTime.makeUnsafe(instant),
        updatedAt: DateTime.add(DateTime.makeUnsafe(instant), { milliseconds: 1 })
      })),
      { createdAt: changedAt, updatedAt: changedAgainAt }
    ])
  }),
  {
    name: "lists the chain of each of its members, newest first, in pages of any size",
    check: Effect.gen(function* () {
      const { findById, listRevisions } = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const ids: Array<Document["id"]> = []
      for (let count = 0; count < 4; count++) {
        ids.unshift((yield* insertDocumentIn(site, "uploaded", { replaces: ids[0] ?? null })).id)
      }
      const pending = yield* insertDocumentIn(site, "pending", { replaces: ids[0] ?? null })
      const found = yield* Effect.forEach(ids, (id) => findById(site.organisationId, id))
      const chain = found.flatMap(Option.toArray)
      for (const id of ids) {
        const [after = null] = chain.map((one) => one.id).slice(1)
        const first = yield* listRevisions(site.organisationId, id, { after: null, limit: 2 })
        assert.deepEqual(first, { items: chain.slice(0, 2), hasMore: true }, "the first page")
        const second = yield* listRevisions(site.organisationId, id, { after, limit: 2 })
        assert.deepEqual(second, { items: chain.slice(2), hasMore: false }, "the last page")
      }
      const own = yield* listRevisions(site.organisationId, pending.id, everything)
      assert.deepEqual(own.items, [pending, ...chain], "a pending one begins its own list, and is in no other")
    })
  }
]
