import { IdempotencyStore, storageKey } from "@solar-sites/core"
import {
  documentRepositoryConformance,
  idempotencyStoreConformance,
  MemoryDatabase,
  MemoryIdempotencyStore,
  MemoryOrganisationRepository
} from "@solar-sites/testing"
import { Context, Effect, Layer, Option } from "effect"
import { notices, replacing } from "./DocumentBreaking.ts"
import { inRepository, inSites, memory } from "./DocumentRepositoryBreaking.ts"
import { everywhere, firstOf, ofAll } from "./withoutOrganisation.ts"

const reads = "reads an organisation's own documents where another one has the same ids"
const steps = "changes the status of an organisation's own documents where another one has the same ids"
const deletes = "deletes an organisation's own documents where another one has the same ids"
const deletesSite = "deletes a site without the documents that another organisation has at a site with the same id"
const ofPortfolio = "lists the documents of an organisation's own portfolio where another one has the same ids"
const keepsListed = "inserts a document without the listed file of another organisation with the same ids"

notices(documentRepositoryConformance, memory, [
  {
    breakage: "finds the document of this id in any organisation",
    breaks: inRepository(({ findById }, database) => ({ findById: firstOf(database)("documents", findById) })),
    noticedBy: [reads]
  },
  {
    breakage: "lists the documents of all organisations",
    breaks: inRepository(({ list }, database) => ({ list: ofAll(database)(list) })),
    noticedBy: [reads, ofPortfolio]
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
    noticedBy: [reads]
  },
  {
    breakage: "answers the document that another organisation inserted under this id",
    breaks: inRepository(({ findById, insertMany }, database) => ({
      insertMany: (owner, siteId, documents, addressExpiresAt) =>
        Effect.andThen(
          insertMany(owner, siteId, documents, addressExpiresAt),
          Effect.forEach(documents, ({ id }) =>
            Effect.map(firstOf(database)("documents", findById)(owner, id), Option.getOrThrow)
          )
        )
    })),
    noticedBy: [reads]
  },
  {
    breakage: "lets the document of this id in all organisations take a step",
    breaks: inRepository(({ step }, database) => ({ step: everywhere(database)(step) })),
    noticedBy: [steps]
  },
  {
    breakage: "judges the version of the document of this id in any organisation",
    breaks: inRepository((intact, database) => ({
      step: (owner, id, taken, options) =>
        (options.expectedVersions === undefined ? intact.step : firstOf(database)("documents", intact.step))(
          owner,
          id,
          taken,
          options
        ),
      delete: (owner, id, options) =>
        (options.expectedVersions === undefined ? intact.delete : firstOf(database)("documents", intact.delete))(
          owner,
          id,
          options
        )
    })),
    noticedBy: [steps, deletes]
  },
  {
    breakage: "reopens the document of this id in all organisations",
    breaks: inRepository(({ reopen }, database) => ({ reopen: everywhere(database)(reopen) })),
    noticedBy: [steps]
  },
  {
    breakage: "makes the cover of the site of this id in all organisations",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, id, taken, options) =>
        Effect.tap(step(owner, id, taken, options), (document) =>
          Effect.sync(() => {
            if (document.type !== "coverImage" || document.status !== "uploaded") return
            for (const { sites } of database.values()) {
              const site = sites.get(document.siteId)
              if (site === undefined) continue
              const covered = Object.assign(Object.create(Object.getPrototypeOf(site)), site, {
                coverImageUrl: document.path
              })
              sites.set(site.id, covered)
            }
          })
        )
    })),
    noticedBy: [steps]
  },
  {
    breakage: "deletes the document of this id in all organisations",
    breaks: inRepository((intact, database) => ({ delete: everywhere(database)(intact.delete) })),
    noticedBy: [deletes]
  },
  {
    breakage: "deletes the documents of the site of this id in all organisations",
    breaks: inSites((intact, database) => ({
      delete: (owner, siteId, expected) =>
        Effect.tap(intact.delete(owner, siteId, expected), () =>
          Effect.sync(() => {
            for (const { documents } of database.values()) {
              for (const [id, { document }] of documents) if (document.siteId === siteId) documents.delete(id)
            }
          })
        )
    })),
    noticedBy: [deletes, deletesSite]
  },
  {
    breakage: "takes the file of an inserted document off the lists of all organisations",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: (owner, siteId, documents, ...rest) =>
        Effect.tap(insertMany(owner, siteId, documents, ...rest), () =>
          Effect.sync(() => {
            for (const [organisationId, { deletedFiles }] of database) {
              for (const { id } of documents)
                deletedFiles.delete(storageKey({ organisationId, siteId, documentId: id }))
            }
          })
        )
    })),
    noticedBy: [keepsListed]
  }
])

const withStore = Layer.merge(
  MemoryIdempotencyStore.layer,
  MemoryOrganisationRepository.layer.pipe(Layer.provideMerge(MemoryDatabase.layer))
)

type Store = IdempotencyStore["Service"]

const inStore = (replace: (intact: Store, database: MemoryDatabase["Service"]) => Partial<Store>) =>
  replacing<Layer.Success<typeof withStore>>()(IdempotencyStore, (intact, context) =>
    replace(intact, Context.get(context, MemoryDatabase))
  )

const apart = "keeps a claim apart from one of another organisation with the same key, request and seed"

notices(idempotencyStoreConformance, withStore, [
  {
    breakage: "completes the claim of this key and seed in all organisations",
    breaks: inStore(({ complete }, database) => ({ complete: everywhere(database)(complete) })),
    noticedBy: [apart]
  },
  {
    breakage: "releases the claim of this key and seed in all organisations",
    breaks: inStore(({ release }, database) => ({ release: everywhere(database)(release) })),
    noticedBy: [apart]
  },
  {
    breakage: "abandons the claim of this key and seed in all organisations",
    breaks: inStore(({ abandon }, database) => ({ abandon: everywhere(database)(abandon) })),
    noticedBy: [apart]
  }
])
