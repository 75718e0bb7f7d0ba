import { type DocumentRepository, maximumPendingDocuments, TooManyPending } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { type Database, inRepository, memory } from "./DocumentRepositoryBreaking.ts"

const kept = "keeps the maximum of pending documents when some are stored, also at the same time, or reopened"

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
    noticedBy: [kept]
  },
  {
    breakage: "reopens failed documents beyond the maximum",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) => unseen(database, owner, [id], reopen(owner, id, options))
    })),
    noticedBy: [kept]
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
    noticedBy: [kept]
  },
  {
    breakage: "counts documents that are pending already when they are opened again",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) =>
        Effect.suspend(() =>
          pendingIn(database, owner) >= maximumPendingDocuments ? refuse : reopen(owner, id, options)
        )
    })),
    noticedBy: [kept]
  },
  {
    breakage: "asks for the deletion of a file before it counts",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) =>
        options.claimedUntil === undefined
          ? unseen(database, owner, [id], reopen(owner, id, options))
          : reopen(owner, id, options)
    })),
    noticedBy: [kept]
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
    noticedBy: [kept]
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
    noticedBy: [kept]
  }
])
