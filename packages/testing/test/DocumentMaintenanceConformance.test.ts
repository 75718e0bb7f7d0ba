import { documentKind } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Duration, Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inMaintenance, inRecords, inSites, memory } from "./DocumentRepositoryBreaking.ts"
import { loseLast } from "./EventBreaking.ts"
import { documentIn } from "./memoryView.ts"
import { storing } from "./StoreBreaking.ts"

const documents = "claims, deletes and lists documents and files as core does, in organisations with the same ids"

const turns = "claims no more than the limit, the longest due first"
const concurrent = "never gives the same document or file to two concurrent claims, and no more than the limit"

notices(documentRepositoryConformance, memory, [
  {
    breakage: "claims a document before its address lapses",
    breaks: inMaintenance(({ claimPending }) => ({
      claimPending: (owner, claim) => claimPending(owner, { ...claim, now: DateTime.add(claim.now, { seconds: 1 }) })
    })),
    noticedBy: [documents]
  },
  {
    breakage: "returns the time of the claim as expiry of the address",
    breaks: inMaintenance(({ claimPending }) => ({
      claimPending: (owner, claim) =>
        Effect.map(claimPending(owner, claim), (found) =>
          found.map(({ document }) => ({ document, addressExpiresAt: claim.dueAgainAt }))
        )
    })),
    noticedBy: [documents]
  },
  {
    breakage: "forgets what was claimed",
    breaks: inMaintenance(({ claimDeleted, claimPending }) => ({
      claimPending: (owner, claim) =>
        claimPending(owner, { ...claim, dueAgainAt: DateTime.add(claim.dueAgainAt, { years: 200 }) }),
      claimDeleted: (owner, claim) =>
        claimDeleted(owner, { ...claim, dueAgainAt: DateTime.add(claim.dueAgainAt, { years: 200 }) })
    })),
    noticedBy: [documents, turns]
  },
  {
    breakage: "claims for a moment only",
    breaks: inMaintenance(({ claimDeleted, claimPending }) => {
      const shortly = (now: DateTime.Utc) => DateTime.add(now, { milliseconds: 1 })
      return {
        claimPending: (owner, claim) => claimPending(owner, { ...claim, dueAgainAt: shortly(claim.now) }),
        claimDeleted: (owner, claim) => claimDeleted(owner, { ...claim, dueAgainAt: shortly(claim.now) })
      }
    }),
    noticedBy: [documents]
  },
  {
    breakage: "claims one more than the limit",
    breaks: inMaintenance(({ claimDeleted, claimPending }) => ({
      claimPending: (owner, claim) => claimPending(owner, { ...claim, limit: claim.limit + 1 }),
      claimDeleted: (owner, claim) => claimDeleted(owner, { ...claim, limit: claim.limit + 1 })
    })),
    noticedBy: [turns, concurrent]
  },
  {
    breakage: "claims what was put off before what waits for the first time",
    breaks: inMaintenance(({ claimPending }, database) => ({
      claimPending: (owner, claim) => {
        for (const { documents } of database.values()) {
          const turned = [...documents].map(([id, stored]) => {
            const dueAt = stored.lookAt ?? stored.addressExpiresAt
            const seconds = DateTime.toEpochMillis(claim.now) - DateTime.toEpochMillis(dueAt)
            const lookAt = seconds < 0 ? dueAt : DateTime.subtract(claim.now, { hours: 1, milliseconds: -seconds })
            return [id, { ...stored, lookAt }] as const
          })
          for (const [id, stored] of turned) documents.set(id, stored)
        }
        return claimPending(owner, claim)
      }
    })),
    noticedBy: [turns]
  },
  {
    breakage: "lets go of what it has claimed",
    breaks: inMaintenance(({ claimPending }, database) => ({
      claimPending: (owner, claim) =>
        Effect.suspend(() => {
          const before = [...database.values()].map(({ documents }) => [documents, [...documents]] as const)
          return Effect.tap(claimPending(owner, claim), () =>
            Effect.sync(() => {
              if (claim.limit !== 8) return
              for (const [documents, all] of before) for (const [id, stored] of all) documents.set(id, stored)
            })
          )
        })
    })),
    noticedBy: [concurrent]
  },
  {
    breakage: "forgets no file",
    breaks: inMaintenance(() => ({ forgetDeleted: () => Effect.void })),
    noticedBy: [documents]
  },
  {
    breakage: "forgets every file",
    breaks: inMaintenance((_, database) => ({
      forgetDeleted: () =>
        Effect.sync(() => {
          for (const { deletedFiles } of database.values()) deletedFiles.clear()
        })
    })),
    noticedBy: [documents]
  },
  {
    breakage: "thinks of no upload under way",
    breaks: inMaintenance(({ forgetDeleted }) => ({
      forgetDeleted: (owner, keys, { claimedUntil, now }) =>
        forgetDeleted(owner, keys, {
          now: DateTime.add(now, { years: 500 }),
          claimedUntil,
          uploadsEndAfter: Duration.zero
        })
    })),
    noticedBy: [documents]
  },
  {
    breakage: "looks for a reopened document when its first address lapses",
    breaks: inRecords(
      storing(documentKind, ({ lookAt }, before) => ({
        lookAt: lookAt && (before === null ? lookAt : (before.lookAt ?? before.addressExpiresAt))
      }))
    ),
    noticedBy: [documents]
  },
  {
    breakage: "remembers the first address of a reopened document",
    breaks: inRecords(
      storing(documentKind, ({ addressExpiresAt }, before) => ({
        addressExpiresAt: before?.addressExpiresAt ?? addressExpiresAt
      }))
    ),
    noticedBy: [documents]
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
    noticedBy: [documents]
  },
  {
    breakage: "forgets a file under another claim",
    breaks: inMaintenance(({ forgetDeleted }, database) => ({
      forgetDeleted: (owner, keys, options) =>
        Effect.suspend(() => {
          for (const { deletedFiles } of database.values()) {
            for (const key of keys) {
              const file = deletedFiles.get(documentIn(key))
              if (file) deletedFiles.set(file.id, { ...file, claimedUntil: options.claimedUntil })
            }
          }
          return forgetDeleted(owner, keys, options)
        })
    })),
    noticedBy: [documents]
  },
  {
    breakage: "leaves the documents of a deleted site",
    breaks: inSites((intact, database) => ({
      delete: (owner, ...rest) => {
        const documents = [...(database.get(owner)?.documents ?? [])]
        const restore = () => documents.map(([id, stored]) => database.get(owner)?.documents.set(id, stored))
        return Effect.tap(intact.delete(owner, ...rest), () => Effect.sync(restore))
      }
    })),
    noticedBy: [documents]
  },
  {
    breakage: "writes no event for the last document of a deleted site",
    breaks: inSites((intact, database) => ({
      delete: (id, ...rest) => loseLast(database, id, intact.delete(id, ...rest))
    })),
    noticedBy: [documents]
  },
  {
    breakage: "lists no file of a deleted site",
    breaks: inSites((intact, database) => ({
      delete: (owner, ...rest) =>
        Effect.tap(intact.delete(owner, ...rest), () => Effect.sync(() => database.get(owner)?.deletedFiles.clear()))
    })),
    noticedBy: [documents]
  }
])
