import { documentRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inMaintenance, inRepository, memory, whereverIs } from "./DocumentRepositoryBreaking.ts"

const late = "accepts a late file after nothing arrived, and none after a file was refused"
const lists = "lists a file for deletion when it is refused on arrival, not when it is rejected or absent"
const opens = "reopens a refused document under a claim of its file, which leaves the deletion list"
const holds = "refuses other claims, those of the sweeper included, until a claim ends"
const nothing = "claims no file that is not to be deleted or belongs to another organisation"
const races = "lets one of several concurrent claims win"
const stores = "stores no document at a path that is listed for deletion, unless it is claimed"
const replaced = "deletes no file of a document that is stored while its predecessor is deleted"

const again = "refuses a step that was decided on an earlier document with the same id"

type Database = Parameters<Parameters<typeof inRepository>[0]>[1]

/** Sets whether the file of a document counts as refused. */
const setRefused = (database: Database, id: string, refused: boolean) => {
  for (const { documents } of database.values()) {
    for (const [key, stored] of documents) if (key === id) documents.set(key, { ...stored, refused })
  }
}

notices(documentRepositoryConformance, memory, [
  {
    breakage: "takes a document that was made again for the one that was looked at",
    breaks: inRepository(({ step }) => ({
      step: (owner, id, { createdAt: _, ...taken }, options) => step(owner, id, taken, options)
    })),
    noticedBy: [again]
  },
  {
    breakage: "takes no file after a document was given up",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, id, taken, options) =>
        Effect.tap(step(owner, id, taken, options), () =>
          Effect.sync(() => taken.to === "failed" && setRefused(database, id, true))
        )
    })),
    noticedBy: [late]
  },
  {
    breakage: "remembers no refusal of a file",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, id, taken, options) =>
        Effect.tap(step(owner, id, taken, options), () => Effect.sync(() => setRefused(database, id, false)))
    })),
    noticedBy: [late, opens]
  },
  {
    breakage: "lists no file that contradicts its declaration",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, ...taken) =>
        Effect.tap(step(owner, ...taken), ({ path }) =>
          Effect.sync(() => database.get(owner)?.deletedFiles.delete(path))
        )
    })),
    noticedBy: [lists]
  },
  {
    breakage: "opens a refused document without a claim",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) =>
        Effect.suspend(() => {
          setRefused(database, id, false)
          return reopen(owner, id, options)
        })
    })),
    noticedBy: [opens, holds]
  },
  {
    breakage: "leaves the file of an opened document listed",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, options) =>
        Effect.suspend(() => {
          const deletedFiles = database.get(owner)?.deletedFiles
          const before = [...(deletedFiles ?? [])]
          return Effect.tap(reopen(owner, id, options), () =>
            Effect.sync(() => {
              for (const [key, file] of before) deletedFiles?.set(key, file)
            })
          )
        })
    })),
    noticedBy: [opens]
  },
  {
    breakage: "gives a claim that another call has",
    breaks: inRepository(({ claimFile }) => ({
      claimFile: (owner, key, claim) =>
        claimFile(owner, key, { ...claim, now: DateTime.add(claim.now, { years: 500 }) })
    })),
    noticedBy: [holds, races]
  },
  {
    breakage: "looks at the claim a moment before it takes it",
    breaks: inRepository(({ claimFile }, database) => ({
      claimFile: Effect.fnUntraced(function* (owner, key, claim) {
        const before = database.get(owner)?.deletedFiles.get(key)
        yield* Effect.yieldNow
        if (before === undefined) database.get(owner)?.deletedFiles.delete(key)
        else database.get(owner)?.deletedFiles.set(key, before)
        return yield* claimFile(owner, key, claim)
      })
    })),
    noticedBy: [races]
  },
  {
    breakage: "claims for the sweeper what a call has claimed",
    breaks: inMaintenance(({ claimDeleted }, database) => ({
      claimDeleted: (owner, claim) =>
        Effect.suspend(() => {
          for (const { deletedFiles } of database.values()) {
            for (const [key, file] of deletedFiles) deletedFiles.set(key, { ...file, dueAt: null, claimedUntil: null })
          }
          return claimDeleted(owner, claim)
        })
    })),
    noticedBy: [holds]
  },
  {
    breakage: "forgets a file under another claim",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (owner, keys, options) =>
        Effect.suspend(() => {
          for (const { deletedFiles } of database.values()) {
            for (const key of keys) {
              const file = deletedFiles.get(key)
              if (file) deletedFiles.set(key, { ...file, claimedUntil: options.claimedUntil })
            }
          }
          return forgetDeleted(owner, keys, options)
        })
    })),
    noticedBy: [holds]
  },
  {
    breakage: "claims where there is nothing to delete",
    breaks: inRepository(({ claimFile }) => ({ claimFile: (...claim) => Effect.as(claimFile(...claim), true) })),
    noticedBy: [nothing, opens]
  },
  {
    breakage: "ignores the organisation in claimFile",
    breaks: inRepository(({ claimFile }, database) => ({
      claimFile: (owner, key, claim) => {
        const listed = [...database].find(([, { deletedFiles }]) => deletedFiles.has(key))?.[0]
        return claimFile(listed ?? whereverIs(database, owner, key.split("/")[2] ?? ""), key, claim)
      }
    })),
    noticedBy: [nothing]
  },
  {
    breakage: "stores documents at any path",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: (owner, siteId, documents, ...rest) =>
        Effect.suspend(() => {
          const deletedFiles = database.get(owner)?.deletedFiles
          const before = [...(deletedFiles ?? [])]
          for (const { path } of documents) deletedFiles?.delete(path)
          return Effect.ensuring(
            insertMany(owner, siteId, documents, ...rest),
            Effect.sync(() => {
              for (const [key, file] of before) deletedFiles?.set(key, file)
            })
          )
        })
    })),
    noticedBy: [stores, replaced]
  },
  {
    breakage: "takes claims until the same instant for those of the caller",
    breaks: inRepository(({ insertMany }) => ({
      insertMany: (owner, siteId, documents, expiresAt, claims) =>
        insertMany(
          owner,
          siteId,
          documents,
          expiresAt,
          claims && { ...claims, keys: documents.map(({ path }) => path) }
        )
    })),
    noticedBy: [stores]
  }
])
