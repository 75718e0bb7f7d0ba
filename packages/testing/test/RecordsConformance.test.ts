import {
  type AnyKind,
  ApiKeyId,
  type Change,
  type Find,
  foundOf,
  type OrganisationId,
  type Portfolio,
  Records,
  type Site,
  Stale,
  siteKind,
  type Write
} from "@solar-sites/core"
import { recordsConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { type Database, notices, whereverIs } from "./breaking.ts"

/** Stores a record without looking at any other one. */
const force = (database: Database, organisationId: OrganisationId, { after }: Write) => {
  // The suite writes sites alone.
  const site = after as Site
  database.get(organisationId)?.sites.set(site.id, site)
  return { _tag: "Committed" as const, revisions: [null] }
}

/** The change of kinds with other declarations. */
const declaredAs = ({ writes, ...change }: Change, declared: Partial<AnyKind>): Change => ({
  ...change,
  writes: writes.map((write) => ({ ...write, kind: { ...write.kind, ...declared } }))
})

const firstValue = ([find]: ReadonlyArray<Find>): string => {
  const values = find?.values ?? []
  return "of" in values ? "" : (values[0] ?? "")
}

const stale = "does nothing when the record has another revision, is absent, or is there already"
const own = "loads and changes an organisation's own record where another one has the same id"
const refused = "does nothing when a unique value is taken or a referenced record is missing"
const oneOfTen = "commits one of ten concurrent creations of one id or of one unique value, with its event alone"

notices(recordsConformance, Records, [
  {
    breakage: "stores a generated value again",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, declaredAs(change, { generated: [] }))
    }),
    noticedBy: ["fails, and stores nothing, when a generated value is taken in any organisation"]
  },
  {
    breakage: "ignores bounds",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, declaredAs(change, { bounds: [] }))
    }),
    noticedBy: ["names a bound that is full, also among concurrent commits, and counts what a commit makes room for"]
  },
  {
    breakage: "removes a record of any revision",
    replace: ({ commit }, database) => ({
      commit: (operation, organisationId, change) =>
        Effect.suspend(() => {
          const [write] = change.writes
          if (write?.after === null) {
            database.get(organisationId)?.apiKeys.delete(ApiKeyId.make(write.id))
            return Effect.succeed({ _tag: "Committed" as const, revisions: [null] })
          }
          return commit(operation, organisationId, change)
        })
    }),
    noticedBy: ["removes a record of the expected revision alone, with its event"]
  },
  {
    breakage: "loads the record of any organisation",
    replace: ({ load }, database) => ({
      load: (operation, organisationId, finds) =>
        load(operation, whereverIs(database, "sites", firstValue(finds)) ?? organisationId, finds)
    }),
    noticedBy: [own]
  },
  {
    breakage: "takes the version for the revision",
    replace: ({ commit, load }, database) => ({
      load,
      commit: (operation, organisationId, change) => {
        const [write] = change.writes
        const stored = write && database.get(organisationId)?.sites.get((write.after as Site).id)
        const expected = (write?.before?.record ?? null) as Site | null
        if (write === undefined || expected === null || stored?.version !== expected.version) {
          return commit(operation, organisationId, change)
        }
        return Effect.sync(() => force(database, organisationId, write))
      }
    }),
    noticedBy: ["gives a record another revision after every change, by whatever method"]
  },
  {
    breakage: "changes a record of any revision",
    replace: ({ commit, load }) => ({
      commit: (operation, organisationId, change) =>
        Effect.gen(function* () {
          const writes = yield* Effect.forEach(change.writes, (write) =>
            Effect.map(
              load(operation, organisationId, [{ kind: write.kind, by: "id", values: [write.id] }]),
              (found): Write => {
                const before = found.byId(siteKind, write.id)
                return before === null ? write : { ...write, before }
              }
            )
          )
          return yield* commit(operation, organisationId, { ...change, writes })
        })
    }),
    noticedBy: [stale, "commits one of fifty concurrent changes of one revision, with its event alone"]
  },
  {
    breakage: "writes the events of a change that was stale",
    replace: ({ commit }, database) => ({
      commit: (operation, organisationId, change) =>
        Effect.map(commit(operation, organisationId, change), (outcome) => {
          const events = database.get(organisationId)?.events
          const last = events?.kept.at(-1)
          if (outcome instanceof Stale && last !== undefined) events?.kept.push(last)
          return outcome
        })
    }),
    noticedBy: [stale, refused, oneOfTen]
  },
  {
    breakage: "stores a unique value twice",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, declaredAs(change, { unique: [] }))
    }),
    noticedBy: [refused, oneOfTen, "commits concurrent creations that stand beside stale ones"]
  },
  {
    breakage: "stores references to records that are missing",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, declaredAs(change, { references: [] }))
    }),
    noticedBy: [refused]
  },
  {
    breakage: "answers a stale creation as committed",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        Effect.map(commit(operation, organisationId, change), (outcome) =>
          outcome instanceof Stale && change.writes[0]?.before === null
            ? { _tag: "Committed" as const, revisions: [null] }
            : outcome
        )
    }),
    noticedBy: [stale, oneOfTen]
  },
  {
    breakage: "commits the first record of a change alone",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, { ...change, writes: change.writes.slice(0, 1) })
    }),
    noticedBy: ["commits one of several concurrent changes with the same new unique values, in any order, as a whole"]
  },
  {
    breakage: "loads computed members as they were written",
    replace: ({ load }, database) => ({
      load: (operation, organisationId, finds) =>
        Effect.map(load(operation, organisationId, finds), ({ answers }) =>
          foundOf(
            answers.map(({ find, stored }) => ({
              find,
              stored: stored.map(({ record, revision }) => {
                // The suite loads sites and portfolios, and ids of sites are no ids of portfolios.
                const { id } = record as Portfolio
                return { record: database.get(organisationId)?.portfolios.get(id) ?? record, revision }
              })
            }))
          )
        )
    }),
    noticedBy: ["computes members of a loaded record, and neither stores nor compares them"]
  },
  {
    breakage: "answers the revision before the change",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        Effect.map(commit(operation, organisationId, change), (outcome) =>
          outcome instanceof Stale
            ? outcome
            : { ...outcome, revisions: change.writes.map(({ before }) => before?.revision ?? null) }
        )
    }),
    noticedBy: ["answers the revision of a changed record, which a further change may expect"]
  }
])
