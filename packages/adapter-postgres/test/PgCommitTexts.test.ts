/**
 * The texts of statements that `load` and `commit` make for the rules of core. Each connection prepares every
 * text once, so their number is bounded. The rules run on memory, through the suites of their ports and their own.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import {
  type Change,
  DocumentMaintenance,
  documentClaiming,
  type Find,
  type LoadOptions,
  Records
} from "@solar-sites/core"
import {
  type ConformanceSuite,
  documentRepositoryConformance,
  MemoryApiKeyStore,
  MemoryDatabase,
  MemoryDocumentRepository,
  MemoryEventRepository,
  MemoryOrganisationRepository,
  MemoryPortfolioRepository,
  MemoryRecords,
  MemoryRequirementRepository,
  MemorySiteRepository,
  MemoryWebhookQueue,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { ruleSuites } from "../../testing/test/rules/suites.ts"
import { partsOf } from "../src/records/CommitInput.ts"
import { formOf } from "../src/records/CommitText.ts"
import { makeCommit } from "../src/records/PgCommit.ts"
import { makeLoad } from "../src/records/PgLoad.ts"
import { recordTables } from "../src/records/RecordTables.ts"

const tables = recordTables()

/** Cases with thousands of records, which take long and have the forms of other cases. */
const large = /a thousand|the maximum of pending documents/

/** The most texts of loads, and of commits. */
const maximum = 50

const valuesOf = ({ by, kind, values }: Find): string => {
  if (kind.isExistence) return `existence of ${kind.name}`
  return `${kind.name} by ${"of" in values ? `${values.member} of ${values.of.kind.name}` : by}`
}

const loadOf = (finds: ReadonlyArray<Find>, { bounds, lastSequence }: LoadOptions = {}): string =>
  [...finds.map(valuesOf), ...(bounds ? ["bounds"] : []), ...(lastSequence ? ["last sequence"] : [])].join(", ")

/** A change that creates one record shares its statement with others, in a text of its own. */
const purposeOf = (change: Change): string => {
  const { reads, writes } = change
  const [write] = writes
  const isAlone = writes.length === 1 && reads.length === 0 && write?.before === null
  const isCreation = isAlone && write.kind.bounds.length === 0
  return `${formOf(partsOf(tables, change))}${isCreation ? "(one)" : ""}`
}

/** A client that keeps the texts of statements, and answers each as if there was no row. */
const clientOf = (texts: Set<string>) =>
  PgClient.of({
    schema: "solar",
    run: ({ text }) =>
      Effect.as(
        Effect.sync(() => texts.add(JSON.stringify(text))),
        []
      ),
    batch:
      ({ decode, text }) =>
      () =>
        Effect.map(
          Effect.sync(() => texts.add(JSON.stringify(text))),
          () => decode([])
        )
  })

/** Methods on clients of their own by what they are for, with the texts of each. */
const byPurpose = <Method>(make: (client: PgClient["Service"]) => Method) => {
  const made = new Map<string, { readonly method: Method; readonly texts: Set<string> }>()
  return {
    made,
    of: (purpose: string): Method => {
      const texts = new Set<string>()
      const one = made.get(purpose) ?? { method: make(clientOf(texts)), texts }
      made.set(purpose, one)
      return one.method
    }
  }
}

const loads = byPurpose((client) => makeLoad(client, tables))
const commits = byPurpose((client) => makeCommit(client, tables))

/** Records in memory. Each call makes its statement, too. */
const records = Layer.effect(
  Records,
  Effect.map(Records, ({ commit, list, load }) =>
    Records.of({
      load: (...given) => Effect.andThen(loads.of(loadOf(given[2], given[3]))(...given), load(...given)),
      commit: (...given) => Effect.andThen(commits.of(purposeOf(given[2]))(...given), commit(...given)),
      list
    })
  )
).pipe(Layer.provide(MemoryRecords.layer))

/** The one method over records that Postgres implements itself. */
const maintenance = Layer.effect(
  DocumentMaintenance,
  Effect.gen(function* () {
    const { forgetDeleted } = yield* documentClaiming
    return DocumentMaintenance.of({ ...(yield* DocumentMaintenance), forgetDeleted })
  })
).pipe(Layer.provide([MemoryDocumentRepository.layer, records]))

const ports = Layer.mergeAll(
  MemoryOrganisationRepository.layer,
  MemoryPortfolioRepository.layer,
  MemoryEventRepository.layer,
  MemoryRequirementRepository.layer,
  Layer.provideMerge(maintenance, MemoryDocumentRepository.layer),
  MemorySiteRepository.layer,
  MemoryApiKeyStore.layer,
  MemoryWebhookQueue.layer,
  records
).pipe(Layer.provide(MemoryDatabase.layer))

it("the texts of loads and commits are one for each form, and at most 50 of each", async () => {
  const suites = [siteRepositoryConformance, documentRepositoryConformance, ...ruleSuites]
  const all = suites.flatMap((suite): ConformanceSuite<Layer.Success<typeof ports>>["cases"] => suite.cases)
  const cases = all.filter(({ name }) => !large.test(name))
  await Effect.runPromise(Effect.forEach(cases, ({ check }) => Effect.provide(check, ports)))
  for (const { texts } of [...loads.made.values(), ...commits.made.values()]) expect(texts.size).toBe(1)
  expect([...commits.made.keys()].toSorted()).toEqual([
    "api_key insert liveApiKeys",
    "api_key insert+update liveApiKeys",
    "api_key remove ",
    "document insert pendingDocuments, file absent ",
    "document insert pendingDocuments, file absent+remove ",
    "document insert pendingDocuments, file remove ",
    "document insert+read pendingDocuments, file absent ",
    "document insert+update pendingDocuments, file absent ",
    "document read , file insert ",
    "document read , file update ",
    "document read+remove , file insert ",
    "document read+update ",
    "document read+update , file insert ",
    "document remove , file insert ",
    "document remove+update , file insert ",
    "document renamed ",
    "document update ",
    "document update , file insert ",
    "document update pendingDocuments",
    "document update pendingDocuments, file remove ",
    "file remove ",
    "file update ",
    "portfolio insert ",
    "portfolio insert (one)",
    "portfolio insert+read ",
    "portfolio renamed ",
    "requirement_list insert , requirement insert ",
    "requirement_list update , requirement insert ",
    "requirement_list update , requirement insert+update ",
    "requirement_list update , requirement remove ",
    "requirement_list update , requirement remove+update ",
    "requirement_list update , requirement update ",
    "site insert (one)",
    "site read , document insert pendingDocuments, file absent ",
    "site read , document insert+update pendingDocuments, file absent ",
    "site read , document remove , file insert ",
    "site read , document update ",
    "site read , requirement_list read , document update ",
    "site renamed ",
    "site update ",
    "site update , document remove , file insert ",
    "site update , document update ",
    "webhook insert webhooks",
    "webhook remove ",
    "webhook update ",
    "webhook_delivery insert (one)",
    "webhook_delivery update "
  ])
  expect([...loads.made.keys()].toSorted()).toEqual([
    "api_key by id",
    "document by id",
    "document by id, document by replaces of document, document by replaces, site by siteId of document, file by id",
    "document by id, document by replaces of document, document by replaces, site by siteId of document, file by id, site by siteId of document",
    "document by id, document by replaces of document, site by siteId of document, file by id",
    "document by id, document by replaces of document, site by siteId of document, file by id, document by replaces",
    "document by id, document by replaces of document, site by siteId of document, file by id, document by replaces, site by siteId of document",
    "document by id, file by id",
    "document by id, file by id, bounds",
    "document by id, file by id, site by siteId of document, bounds",
    "document by id, site by siteId of document",
    "document by id, site by siteId of document, requirement_list by id, requirement by listId",
    "existence of document",
    "existence of organisation",
    "existence of organisation, existence of portfolio, requirement_list by id, requirement by listId",
    "existence of organisation, portfolio by id",
    "existence of organisation, portfolio by id, portfolio by externalId",
    "existence of organisation, site by id",
    "existence of organisation, site by id, existence of portfolio",
    "existence of organisation, site by id, existence of portfolio, site by externalId",
    "existence of organisation, site by id, site by externalId",
    "existence of organisation, webhook by id, last sequence",
    "existence of site, document by id, file by id",
    "existence of site, document by id, file by id, site by id, site by siteId of document",
    "existence of webhook, webhook_delivery by id",
    "file by id",
    "portfolio by id",
    "portfolio by id, portfolio by externalId",
    "requirement_list by id, requirement by listId",
    "site by externalId",
    "site by id",
    "site by id, existence of portfolio",
    "site by id, existence of portfolio, site by externalId",
    "site by id, site by externalId",
    "webhook by id",
    "webhook by id, last sequence"
  ])
  expect(loads.made.size).toBeLessThanOrEqual(maximum)
  expect(commits.made.size).toBeLessThanOrEqual(maximum)
})
