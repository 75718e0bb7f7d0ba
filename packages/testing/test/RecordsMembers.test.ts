import type { DocumentRecord } from "@solar-sites/core"
import { Stale } from "@solar-sites/core"
import { Effect } from "effect"
import { whereverIs } from "./breaking.ts"
import { answering, changing, noticesRecords, writing } from "./RecordsBreaking.ts"

const storesDocuments =
  "stores every member of a new document, alone or with others, with all and without optional members"
const storesSites = "stores every member of a new site, alone or with others, with all and without optional members"
const changes = "changes every member of a document in turn and all at once, and answers the revision"
const removes = "removes a site, and stores another one under its id"
const own = "changes and removes a site of the own organisation where another one has the same id"
const stale = "does nothing when a document has another revision, is absent, or is there already"
const oneOfTwenty =
  "commits one of twenty concurrent changes of a document, and one of ten creations, each with its event alone"

const committed = (count: number) => ({
  _tag: "Committed" as const,
  revisions: Array.from({ length: count }, () => null)
})

noticesRecords([
  {
    breakage: "drops a member that no caller sees",
    replace: writing((after) => ("declaredBytes" in after ? { ...after, declaredBytes: null } : after)),
    noticedBy: [storesDocuments, changes]
  },
  {
    breakage: "drops a member that no caller sees from changes",
    replace: writing((after, { before }) =>
      before !== null && "replacementRequests" in after
        ? { ...after, replacementRequests: Reflect.get(before.record, "replacementRequests") }
        : after
    ),
    noticedBy: [changes]
  },
  {
    breakage: "takes null for absent in a change",
    replace: writing((after, { before }) => ({
      ...before?.record,
      ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null))
    })),
    noticedBy: [changes]
  },
  {
    breakage: "cuts instants to seconds",
    replace: writing((after) => {
      if (!("lookAt" in after)) return after
      const { addressExpiresAt } = after as DocumentRecord
      return { ...after, lookAt: after.lookAt && addressExpiresAt }
    }),
    noticedBy: [storesDocuments, changes]
  },
  {
    breakage: "drops optional members of records that are stored together",
    replace: writing((after, _, { writes }) => (writes.length > 1 ? { ...after, tags: [] } : after)),
    noticedBy: [storesSites]
  },
  {
    breakage: "trims and composes texts",
    replace: writing((after) =>
      "siteName" in after
        ? { ...after, siteName: String(after.siteName).normalize("NFC").replaceAll("\u00a0", " ") }
        : after
    ),
    noticedBy: ["stores texts of a site as they are"]
  },
  {
    breakage: "removes nothing",
    replace: changing(({ writes, ...change }) => ({
      ...change,
      writes: writes.filter(({ after }) => after !== null)
    })),
    noticedBy: [removes, own]
  },
  {
    breakage: "removes a record of any revision",
    replace: ({ commit }, database) => ({
      commit: (operation, organisationId, change) =>
        Effect.suspend(() => {
          const [write] = change.writes
          const isRemoval = change.writes.length === 1 && write?.after === null
          if (!isRemoval || write.kind.name !== "document") return commit(operation, organisationId, change)
          const documents = database.get(organisationId)?.documents
          for (const id of documents?.keys() ?? []) if (id === write.id) documents?.delete(id)
          return Effect.succeed(committed(1))
        })
    }),
    noticedBy: [stale]
  },
  {
    breakage: "loads the record of any organisation",
    replace: ({ load }, database) => ({
      load: (operation, organisationId, finds, options) => {
        const [values = []] = finds.map((find) => ("of" in find.values ? [] : find.values))
        return load(operation, whereverIs(database, "sites", values[0] ?? "") ?? organisationId, finds, options)
      }
    }),
    noticedBy: [own]
  },
  {
    breakage: "removes the records of all organisations with an id",
    replace: ({ commit }, database) => ({
      commit: (operation, organisationId, change) =>
        Effect.map(commit(operation, organisationId, change), (outcome) => {
          const removed = new Set<string>(change.writes.flatMap(({ after, id }) => (after === null ? [id] : [])))
          for (const { sites } of outcome instanceof Stale ? [] : database.values()) {
            for (const id of sites.keys()) if (removed.has(id)) sites.delete(id)
          }
          return outcome
        })
    }),
    noticedBy: [own]
  },
  {
    breakage: "changes a record of any revision",
    replace: ({ commit, load }) => ({
      commit: (operation, organisationId, change) =>
        Effect.gen(function* () {
          const writes = yield* Effect.forEach(change.writes, (write) =>
            Effect.map(
              load(operation, organisationId, [{ kind: write.kind, by: "id", values: [write.id] }]),
              ({ answers }) => {
                const before = answers[0]?.stored[0]
                return before === undefined ? write : { ...write, before }
              }
            )
          )
          return yield* commit(operation, organisationId, { ...change, writes })
        })
    }),
    noticedBy: [stale, oneOfTwenty]
  },
  {
    breakage: "answers a stale creation as committed",
    replace: answering((outcome, { writes }) =>
      outcome instanceof Stale && writes[0]?.before === null ? committed(writes.length) : outcome
    ),
    noticedBy: [stale, oneOfTwenty]
  },
  {
    breakage: "answers the revision before the change",
    replace: answering((outcome, { writes }) =>
      outcome instanceof Stale
        ? outcome
        : { ...outcome, revisions: writes.map(({ before }) => before?.revision ?? null) }
    ),
    noticedBy: [changes]
  }
])
