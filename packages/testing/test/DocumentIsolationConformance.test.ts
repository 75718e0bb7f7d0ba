import { IdempotencyStore } from "@solar-sites/core"
import {
  documentRepositoryConformance,
  idempotencyStoreConformance,
  MemoryDatabase,
  MemoryIdempotencyStore,
  MemoryOrganisationRepository
} from "@solar-sites/testing"
import { Context, Effect, Layer } from "effect"
import { notices, replacing } from "./DocumentBreaking.ts"
import { inRecords, inRepository, inSites, memory } from "./DocumentRepositoryBreaking.ts"
import { loadingEverywhere } from "./StoreBreaking.ts"
import { everywhere, ofAll } from "./withoutOrganisation.ts"

const documents = "claims, deletes and lists documents and files as core does, in organisations with the same ids"

notices(documentRepositoryConformance, memory, [
  {
    breakage: "loads the document of this id of any organisation",
    breaks: inRecords(loadingEverywhere),
    noticedBy: [documents]
  },
  {
    breakage: "lists the documents of all organisations",
    breaks: inRepository(({ list }, database) => ({ list: ofAll(database)(list) })),
    noticedBy: [documents]
  },
  {
    breakage: "lists the documents of one record in all organisations after the first page",
    breaks: inRepository(({ list }, database) => ({
      list: (owner, conditions, page) =>
        (conditions.omRecordId === undefined || page.after === null ? list : ofAll(database)(list))(
          owner,
          conditions,
          page
        )
    })),
    noticedBy: [documents]
  },
  {
    breakage: "deletes the documents of the site of this id in all organisations",
    breaks: inSites((intact, database) => ({
      delete: (owner, siteId, expected) =>
        Effect.tap(intact.delete(owner, siteId, expected), () =>
          Effect.sync(() => {
            for (const { documents } of database.values()) {
              for (const [id, document] of documents) if (document.siteId === siteId) documents.delete(id)
            }
          })
        )
    })),
    noticedBy: [documents]
  }
])

const withStore = Layer.merge(MemoryIdempotencyStore.layer, MemoryOrganisationRepository.layer).pipe(
  Layer.provideMerge(MemoryDatabase.layer)
)

type Store = IdempotencyStore["Service"]

const inStore = (replace: (intact: Store, database: MemoryDatabase["Service"]) => Partial<Store>) =>
  replacing<Layer.Success<typeof withStore>>()(IdempotencyStore, (intact, context) =>
    replace(intact, Context.get(context, MemoryDatabase))
  )

const outcomes = ["Answered", "Refused", "Unknown"] as const

const apart = "claims, ends and purges keys as core does, in organisations with the same ones"

notices(idempotencyStoreConformance, withStore, [
  ...outcomes.map((outcome) => ({
    breakage: `ends the claim of this key and seed in all organisations when it is ${outcome}`,
    breaks: inStore(({ end }, database) => ({
      end: (owner, key, attempt) =>
        attempt.outcome._tag === outcome ? everywhere(database)(end)(owner, key, attempt) : end(owner, key, attempt)
    })),
    noticedBy: [apart] as const
  }))
])
