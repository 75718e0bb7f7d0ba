import { type DocumentRepository, maximumPendingDocuments, TooManyPending } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { type Database, inRepository, memory } from "./DocumentRepositoryBreaking.ts"

const maximum = "stores no more pending documents than the maximum, in each organisation by itself"
const reopened = "reopens no failed document while too many are pending, but always a pending one"
const beforeFile = "refuses too many pending documents before the file of a rejected one is deleted"
const atOnce = "never exceeds the maximum of pending documents by concurrent inserts"

type Owner = Parameters<DocumentRepository["Service"]["insertMany"]>[0]

/** Runs the effect where no document of the organisation but those with these ids can be seen, and puts them back. */
const unseen = <A, E>(database: Database, owner: Owner, seen: ReadonlyArray<string>, effect: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const documents = database.get(owner)?.documents
    const hidden = [...(documents ?? [])].filter(([id]) => !seen.includes(id))
    for (const [id] of hidden) documents?.delete(id)
    return Effect.ensuring(
      effect,
      Effect.sync(() => {
        for (const [id, document] of hidden) documents?.set(id, document)
      })
    )
  })

const pendingIn = (database: Database, owner: Owner): number =>
  [...(database.get(owner)?.documents.values() ?? [])].filter(({ document }) => document.status === "pending").length

const refuse = Effect.fail(new TooManyPending({ maximum: maximumPendingDocuments }))

notices(documentRepositoryConformance, memory, [
  {
    breakage: "has no maximum of pending documents",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: (owner, siteId, documents, ...rest) =>
        unseen(
          database,
          owner,
          documents.map(({ id }) => id),
          insertMany(owner, siteId, documents, ...rest)
        )
    })),
    noticedBy: [maximum, atOnce]
  },
  {
    breakage: "reopens failed documents beyond the maximum",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) => unseen(database, owner, [id], reopen(owner, id, options))
    })),
    noticedBy: [reopened]
  },
  {
    breakage: "counts documents that are stored already",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: (owner, siteId, documents, ...rest) =>
        Effect.suspend(() =>
          pendingIn(database, owner) + documents.length > maximumPendingDocuments
            ? refuse
            : insertMany(owner, siteId, documents, ...rest)
        )
    })),
    noticedBy: [maximum]
  },
  {
    breakage: "counts documents that are pending already when they are opened again",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) =>
        Effect.suspend(() =>
          pendingIn(database, owner) >= maximumPendingDocuments ? refuse : reopen(owner, id, options)
        )
    })),
    noticedBy: [reopened]
  },
  {
    breakage: "asks for the deletion of a file before it counts",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) =>
        options.claimedUntil === undefined
          ? unseen(database, owner, [id], reopen(owner, id, options))
          : reopen(owner, id, options)
    })),
    noticedBy: [beforeFile]
  },
  {
    breakage: "counts first and stores later",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: (owner, siteId, documents, ...rest) =>
        Effect.gen(function* () {
          const full = pendingIn(database, owner) + documents.length > maximumPendingDocuments
          yield* Effect.yieldNow
          if (full) return yield* refuse
          return yield* unseen(
            database,
            owner,
            documents.map(({ id }) => id),
            insertMany(owner, siteId, documents, ...rest)
          )
        })
    })),
    noticedBy: [atOnce]
  },
  {
    breakage: "counts the pending documents of all organisations when one is reopened",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) =>
        Effect.suspend(() =>
          [...database.keys()].some((one) => pendingIn(database, one) >= maximumPendingDocuments)
            ? refuse
            : reopen(owner, id, options)
        )
    })),
    noticedBy: [beforeFile]
  }
])
