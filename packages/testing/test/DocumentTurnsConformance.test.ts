import type { OrganisationId, RepositoryError, StorageKey } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inMaintenance, memory } from "./DocumentRepositoryBreaking.ts"

const apart = "claims pending documents of one organisation alone, though another has one of the same id"
const filesApart = "claims and forgets deleted files of one organisation alone"
const ownAddress = "forgets or keeps a deleted file by the address of its own organisation's document"
const named = "finds organisations with due work, each once, the longest due first"
const namedAgain = "finds an organisation again when its claims end, and no more organisations than the limit"

/** The ids of the site and the document. */
const withoutOwner = (key: StorageKey): string => key.slice(key.indexOf("/"))

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
    noticedBy: [apart, filesApart]
  },
  {
    breakage: "forgets the files of whichever organisation has them",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (_, keys, options) =>
        Effect.forEach([...database.keys()], (owner) => forgetDeleted(owner, keys, options), { discard: true })
    })),
    noticedBy: [filesApart]
  },
  {
    breakage: "forgets the file of these ids in all organisations",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (owner, keys, options) =>
        Effect.tap(forgetDeleted(owner, keys, options), () =>
          Effect.sync(() => {
            const gone = keys.filter((key) => !database.get(owner)?.deletedFiles.has(key)).map(withoutOwner)
            for (const { deletedFiles } of database.values()) {
              for (const key of deletedFiles.keys()) if (gone.includes(withoutOwner(key))) deletedFiles.delete(key)
            }
          })
        )
    })),
    noticedBy: [ownAddress]
  },
  {
    breakage: "puts off the file of these ids in all organisations",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (owner, keys, options) =>
        Effect.tap(forgetDeleted(owner, keys, options), () =>
          Effect.sync(() => {
            for (const key of keys) {
              const kept = database.get(owner)?.deletedFiles.get(key)
              if (kept === undefined) continue
              for (const { deletedFiles } of database.values()) {
                for (const [twin, file] of deletedFiles) {
                  if (withoutOwner(twin) === withoutOwner(key)) {
                    deletedFiles.set(twin, { ...file, dueAt: kept.dueAt, claimedUntil: kept.claimedUntil })
                  }
                }
              }
            }
          })
        )
    })),
    noticedBy: [ownAddress]
  },
  {
    breakage: "forgets a file by the first address of these ids in any organisation",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (owner, keys, options) =>
        Effect.suspend(() => {
          const own = database.get(owner)?.deletedFiles
          for (const { deletedFiles } of database.values()) {
            for (const [twin, { addressExpiresAt }] of deletedFiles) {
              const key = keys.find((one) => withoutOwner(one) === withoutOwner(twin))
              const file = key === undefined ? undefined : own?.get(key)
              if (key === undefined || file === undefined) continue
              own?.set(key, { ...file, addressExpiresAt: DateTime.min(file.addressExpiresAt, addressExpiresAt) })
            }
          }
          return forgetDeleted(owner, keys, options)
        })
    })),
    noticedBy: [ownAddress]
  },
  {
    breakage: "names every organisation with anything pending",
    breaks: inMaintenance(({ findDue }) => ({
      findDue: ({ limit, now }) => findDue({ limit, now: DateTime.add(now, { days: 1 }) })
    })),
    noticedBy: [named, namedAgain]
  },
  {
    breakage: "names organisations in the order of their ids",
    breaks: inMaintenance(({ findDue }) => ({
      findDue: (options) => Effect.map(findDue(options), (found) => [...found].sort())
    })),
    noticedBy: [named, namedAgain]
  },
  {
    breakage: "names organisations without end",
    breaks: inMaintenance(({ findDue }) => ({ findDue: ({ now }) => findDue({ now, limit: 1_000 }) })),
    noticedBy: [namedAgain]
  }
])
