import type { OrganisationId, RepositoryError } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inMaintenance, memory } from "./DocumentRepositoryBreaking.ts"
import { documentIn } from "./memoryView.ts"

const documents = "claims, deletes and lists documents and files as core does, in organisations with the same ids"

const named = "finds organisations with due work, each once, the longest due first, and again when their claims end"

notices(documentRepositoryConformance, memory, [
  {
    breakage: "claims the work of whichever organisation is due",
    breaks: inMaintenance(({ claimDeleted, claimPending }, database) => {
      const whichever = <Item>(claim: (owner: OrganisationId) => Effect.Effect<ReadonlyArray<Item>, RepositoryError>) =>
        Effect.map(Effect.forEach([...database.keys()], claim), (found) => found.flat())
      return {
        claimPending: (_, claim) => whichever((owner) => claimPending(owner, claim)),
        claimDeleted: (_, claim) => whichever((owner) => claimDeleted(owner, claim))
      }
    }),
    noticedBy: [documents]
  },
  {
    breakage: "forgets the files of whichever organisation has them",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (_, keys, options) =>
        Effect.forEach([...database.keys()], (owner) => forgetDeleted(owner, keys, options), { discard: true })
    })),
    noticedBy: [documents]
  },
  {
    breakage: "forgets the file of these ids in all organisations",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (owner, keys, options) =>
        Effect.tap(forgetDeleted(owner, keys, options), () =>
          Effect.sync(() => {
            const gone = keys.map(documentIn).filter((id) => !database.get(owner)?.deletedFiles.has(id))
            for (const { deletedFiles } of database.values()) {
              for (const id of gone) deletedFiles.delete(id)
            }
          })
        )
    })),
    noticedBy: [documents]
  },
  {
    breakage: "puts off the file of these ids in all organisations",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (owner, keys, options) =>
        Effect.tap(forgetDeleted(owner, keys, options), () =>
          Effect.sync(() => {
            for (const key of keys) {
              const kept = database.get(owner)?.deletedFiles.get(documentIn(key))
              if (kept === undefined) continue
              for (const { deletedFiles } of database.values()) {
                const file = deletedFiles.get(kept.id)
                if (file) deletedFiles.set(kept.id, { ...file, dueAt: kept.dueAt, claimedUntil: kept.claimedUntil })
              }
            }
          })
        )
    })),
    noticedBy: [documents]
  },
  {
    breakage: "forgets a file by the first address of these ids in any organisation",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (owner, keys, options) =>
        Effect.suspend(() => {
          const own = database.get(owner)?.deletedFiles
          for (const { deletedFiles } of database.values()) {
            for (const [id, { addressExpiresAt }] of deletedFiles) {
              const file = keys.some((one) => documentIn(one) === id) ? own?.get(id) : undefined
              if (file === undefined) continue
              own?.set(id, { ...file, addressExpiresAt: DateTime.min(file.addressExpiresAt, addressExpiresAt) })
            }
          }
          return forgetDeleted(owner, keys, options)
        })
    })),
    noticedBy: [documents]
  },
  {
    breakage: "names every organisation with anything pending",
    breaks: inMaintenance(({ findDue }) => ({
      findDue: ({ limit, now }) => findDue({ limit, now: DateTime.add(now, { days: 1 }) })
    })),
    noticedBy: [named]
  },
  {
    breakage: "names organisations in the order of their ids",
    breaks: inMaintenance(({ findDue }) => ({
      findDue: (options) => Effect.map(findDue(options), (found) => [...found].sort())
    })),
    noticedBy: [named]
  },
  {
    breakage: "names organisations without end",
    breaks: inMaintenance(({ findDue }) => ({ findDue: ({ now }) => findDue({ now, limit: 1_000 }) })),
    noticedBy: [named]
  }
])
