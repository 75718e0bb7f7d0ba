import {
  DocumentMaintenance,
  DocumentStorage,
  Documents,
  type FileRecord,
  fileKind,
  foundOf,
  Records,
  type StorageKey
} from "@solar-sites/core"
import { Context, Effect, Option } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { check } from "../src/check.ts"
import type { Breakage } from "../src/storage/Fixture.ts"
import { interleave } from "../src/storage/Interleaving.ts"
import { sequences } from "../src/storage/Sequence.ts"
import { type Ports, targets } from "../src/storage/Targets.ts"

const maximumSteps = 200
const shrinkingMillis = 1_000

const propertyOf = (breakage: Breakage = {}) =>
  fc.asyncProperty(sequences(maximumSteps), async (sequence) => {
    const bench = await targets.memory()
    await interleave(sequence, await bench.next(), 1_700_000_000_000, breakage)
  })

/** The message of the proof, or undefined when it holds. */
const found = async (breakage: Breakage, seed: number, runs = 1_000, path?: string): Promise<string | undefined> => {
  const replayed = { seed, path, runs }
  return check(propertyOf(breakage), replayed, "storage", runs, shrinkingMillis).then(
    () => undefined,
    (error: unknown) => String(error)
  )
}

const withStorage = (
  change: (intact: DocumentStorage["Service"]) => Partial<DocumentStorage["Service"]>
): Breakage => ({
  ports: (ports) => {
    const intact = Context.get(ports, DocumentStorage)
    return Context.add(ports, DocumentStorage, { ...intact, ...change(intact) })
  }
})

const withRecords = (change: (intact: Records["Service"]) => Partial<Records["Service"]>): Breakage => ({
  ports: (ports: Context.Context<Ports>) => {
    const intact = Context.get(ports, Records)
    return Context.add(ports, Records, { ...intact, ...change(intact) })
  }
})

/** Each with a seed that finds it soon. */
const broken: Readonly<Record<string, Breakage & { readonly seed: number }>> = {
  "a service that deletes the file before it wins the version": {
    seed: 1,
    services: (services, gated) => {
      const documents = Context.get(services, Documents)
      const storage = Context.get(gated, DocumentStorage)
      return Context.add(services, Documents, {
        ...documents,
        reissueUpload: (id) =>
          Effect.flatMap(documents.get(id), ({ organisationId, path }) =>
            Effect.andThen(storage.delete(organisationId, [path]), documents.reissueUpload(id))
          )
      })
    }
  },
  "a sweeper that forgets its claim": {
    seed: 1003,
    ports: (ports) => {
      const intact = Context.get(ports, DocumentMaintenance)
      return Context.add(ports, DocumentMaintenance, {
        ...intact,
        claimDeleted: (organisationId, claim) =>
          intact.claimDeleted(organisationId, { ...claim, dueAgainAt: claim.now })
      })
    }
  },
  "a storage that loses a file": {
    seed: 3,
    ...withStorage((intact) => ({
      delete: (organisationId, keys) =>
        Effect.flatMap(intact.list(organisationId, { after: null, limit: 100 }), ({ items }) => {
          const siteOf = (key: StorageKey) => key.split("/")[1]
          const more = items.filter(({ key }) => keys.some((one) => siteOf(one) === siteOf(key)))
          return intact.delete(organisationId, [...keys, ...more.map(({ key }) => key)])
        })
    }))
  },
  "a storage that reports a file before it is there": {
    seed: 1,
    ...withStorage((intact) => ({
      inspect: (organisationId, key) =>
        Effect.map(
          intact.inspect(organisationId, key),
          Option.orElseSome(() => ({ sizeBytes: 5, mimeType: "application/pdf", contentCoding: null }))
        )
    }))
  },
  "a store that dies": {
    seed: 1,
    ...withRecords(({ commit }) => ({
      commit: (operation, ...change) =>
        operation === "DocumentRepository.step" ? Effect.die(new Error("no such column")) : commit(operation, ...change)
    }))
  },
  "a storage that does not delete": { seed: 1, ...withStorage(() => ({ delete: () => Effect.void })) },
  "a store that ignores revisions": {
    seed: 4,
    ...withRecords(({ commit, load }) => ({
      commit: Effect.fnUntraced(function* (operation, organisationId, change) {
        const writes = yield* Effect.forEach(change.writes, (write) =>
          Effect.map(
            load(operation, organisationId, [{ kind: write.kind, by: "id", values: [write.id] }]),
            ({ answers: [answer] }) => {
              const [before] = answer?.stored ?? []
              return before === undefined || write.before === null ? write : { ...write, before }
            }
          )
        )
        return yield* commit(operation, organisationId, { ...change, writes })
      })
    }))
  },
  "a store that forgets the claims of calls": {
    seed: 9,
    ...withRecords(({ load }) => ({
      load: (operation, ...rest) =>
        Effect.map(load(operation, ...rest), (found) => {
          if (operation !== "DocumentRepository.claimFile") return found
          const unclaimed = found.answers.map(({ find, stored }) => ({
            find,
            stored: stored.map(({ record, revision }) => ({
              record: find.kind.name === fileKind.name ? { ...(record as FileRecord), claimedUntil: null } : record,
              revision
            }))
          }))
          return foundOf(unclaimed, found)
        })
    }))
  }
}

describe("the proof of documents and storage", () => {
  it("holds, and reaches every status", async () => {
    const changes = new Set<string>()
    const bench = await targets.memory()
    const property = fc.asyncProperty(sequences(maximumSteps), async (sequence) => {
      const done = await interleave(sequence, await bench.next(), 1_700_000_000_000)
      for (const change of done.changes) changes.add(change)
    })
    await check(property, { seed: 7, path: undefined, runs: 20 }, "storage", 20)
    expect([...changes]).toEqual(
      expect.arrayContaining(["none to pending", "pending to uploaded", "uploaded to failed", "approved to completed"])
    )
  })

  it.each(Object.entries(broken))("finds %s, shrinks and replays it", async (_, { seed, ...breakage }) => {
    const message = await found(breakage, seed)
    expect(message).toMatch(/Counterexample/)
    const [, path] = /--path (\S+)/.exec(message ?? "") ?? []
    const again = await found(breakage, seed, 1, path)
    const sequenceOf = (text: string | undefined) => /Counterexample: (.*)/.exec(text ?? "")?.[1]
    expect(sequenceOf(again)).toBe(sequenceOf(message))
  })
})
