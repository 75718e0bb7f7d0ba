import { Document, type DocumentId } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { amend, type Database, inRepository, memory } from "./DocumentRepositoryBreaking.ts"

const links = "links a document and the one it replaces when it is uploaded, and not before"
const second = "makes the second successor of a document failed, and lists its file"
const absent = "stores no replaces that is no document of the organisation"
const joins = "joins the neighbours of a deleted document"
const rejects = "takes a rejected document out of its chain, which keeps what it replaces and can come back"
const alone = "leaves chains alone when a pending document fails or goes"
const apart = "keeps the chains of two organisations with the same ids apart"
const winner = "lets one of several concurrent replacements of a document win"
const neighbours = "joins a chain whole when neighbours are deleted at the same time"
const uploads = "keeps a chain whole when a predecessor is deleted while its successor is uploaded"

const documentIn = (database: Database, { organisationId }: Document, id: DocumentId | null) =>
  id === null ? undefined : database.get(organisationId)?.documents.get(id)?.document

/** Changes what is stored after each step. */
const afterStep = (change: (database: Database, after: Document, before: Document) => void) =>
  inRepository(({ findById, step }, database) => ({
    step: Effect.fnUntraced(function* (owner, id, ...rest) {
      const before = Option.getOrNull(yield* findById(owner, id))
      const after = yield* step(owner, id, ...rest)
      if (before !== null) change(database, after, before)
      return Option.getOrElse(yield* findById(owner, id), () => after)
    })
  }))

/** The documents of the organisation that a deletion has changed, before and after. */
const afterDelete = (change: (database: Database, before: Document, after: Document) => void) =>
  inRepository((intact, database) => ({
    delete: Effect.fnUntraced(function* (owner, ...rest) {
      const before = [...(database.get(owner)?.documents.values() ?? [])].map(({ document }) => document)
      yield* intact.delete(owner, ...rest)
      for (const one of before) {
        const after = documentIn(database, one, one.id)
        if (after !== undefined && after !== one) change(database, one, after)
      }
    })
  }))

notices(documentRepositoryConformance, memory, [
  {
    breakage: "links documents before the file has arrived",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: (...request) =>
        Effect.tap(insertMany(...request), (stored) =>
          Effect.sync(() => {
            for (const one of stored) {
              const old = documentIn(database, one, one.replaces)
              if (old?.replacedBy === null) amend(database, old, () => ({ replacedBy: one.id }))
            }
          })
        )
    })),
    noticedBy: [links]
  },
  {
    breakage: "links no documents",
    breaks: afterStep((database, { replaces, status, ...after }) => {
      const old = documentIn(database, after as Document, replaces)
      if (status === "uploaded" && old) amend(database, old, () => ({ replacedBy: null }))
    }),
    noticedBy: [links, second]
  },
  {
    breakage: "does not count the link of the old document",
    breaks: afterStep((database, after) => {
      const old = documentIn(database, after, after.replaces)
      if (after.status === "uploaded" && old) amend(database, old, ({ version }) => ({ version: version - 1 }))
    }),
    noticedBy: [links]
  },
  {
    breakage: "lets the latest replacement win",
    breaks: inRepository(({ findById, step }, database) => ({
      step: Effect.fnUntraced(function* (owner, id, ...rest) {
        const found = Option.getOrNull(yield* findById(owner, id))
        const old = found === null ? undefined : documentIn(database, found, found.replaces)
        if (old && found?.status === "pending") amend(database, old, () => ({ replacedBy: null }))
        return yield* step(owner, id, ...rest)
      })
    })),
    noticedBy: [second, winner]
  },
  {
    breakage: "does not list the file of a second replacement",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, ...rest) =>
        Effect.tap(step(owner, ...rest), ({ failureReason, path }) =>
          Effect.sync(() => failureReason === "already_replaced" && database.get(owner)?.deletedFiles.delete(path))
        )
    })),
    noticedBy: [second]
  },
  {
    breakage: "sets metadata of a second replacement",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, id, taken, options) =>
        Effect.map(step(owner, id, taken, options), (after) =>
          after.failureReason === "already_replaced" ? amend(database, after, () => taken.changes ?? {}) : after
        )
    })),
    noticedBy: [second]
  },
  {
    breakage: "stores any replaces",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: (owner, siteId, documents, ...rest) =>
        Effect.map(insertMany(owner, siteId, documents, ...rest), (stored) =>
          stored.map((one, index) => amend(database, one, () => ({ replaces: documents[index]?.replaces ?? null })))
        )
    })),
    noticedBy: [absent]
  },
  {
    breakage: "forgets what a document replaces",
    breaks: inRepository(({ insertMany }) => ({
      insertMany: (owner, siteId, documents, ...rest) =>
        insertMany(
          owner,
          siteId,
          documents.map((one) => new Document({ ...one, replaces: null })),
          ...rest
        )
    })),
    noticedBy: [links, absent]
  },
  {
    breakage: "leaves the predecessor of a deleted document replaced",
    breaks: afterDelete((database, { replacedBy }, after) => {
      if (after.replacedBy !== replacedBy) amend(database, after, () => ({ replacedBy }))
    }),
    noticedBy: [joins, neighbours]
  },
  {
    breakage: "leaves the successors of a deleted document with its id",
    breaks: afterDelete((database, { replaces }, after) => {
      if (after.replaces !== replaces) amend(database, after, () => ({ replaces }))
    }),
    noticedBy: [joins, neighbours, uploads, "keeps chains whole under all changes at the same time"]
  },
  {
    breakage: "joins only documents that have arrived",
    breaks: afterDelete((database, { replaces, status }, after) => {
      if (status === "pending" || status === "failed") amend(database, after, () => ({ replaces }))
    }),
    noticedBy: [joins]
  },
  {
    breakage: "leaves a rejected document replaced",
    breaks: afterStep((database, after, { replacedBy, status }) => {
      if (status === "uploaded" && after.status === "failed") amend(database, after, () => ({ replacedBy }))
    }),
    noticedBy: [rejects]
  },
  {
    breakage: "forgets what a rejected document replaces",
    breaks: afterStep((database, after, { status }) => {
      if (status === "uploaded" && after.status === "failed") amend(database, after, () => ({ replaces: null }))
    }),
    noticedBy: [rejects]
  },
  {
    breakage: "keeps a rejected document as the successor",
    breaks: afterStep((database, after, { status }) => {
      const old = documentIn(database, after, after.replaces)
      if (status === "uploaded" && after.status === "failed" && old)
        amend(database, old, () => ({ replacedBy: after.id }))
    }),
    noticedBy: [rejects]
  },
  {
    breakage: "makes the predecessor of a lapsed document current",
    breaks: afterStep((database, after, { status }) => {
      const old = documentIn(database, after, after.replaces)
      if (status === "pending" && after.status === "failed" && old) amend(database, old, () => ({ replacedBy: null }))
    }),
    noticedBy: [alone]
  },
  {
    breakage: "changes chains of all organisations",
    breaks: afterStep((database, after) => {
      for (const [owner, { documents }] of database) {
        const twin = owner === after.organisationId ? undefined : documents.get(after.id)?.document
        if (twin !== undefined) amend(database, twin, () => ({ replacedBy: after.replacedBy, status: after.status }))
      }
    }),
    noticedBy: [apart]
  }
])
