import { type Change, type OrganisationId, type Read, type Records, Stale } from "@solar-sites/core"
import { Effect } from "effect"
import { answering, changing, lookingBefore, noticesRecords, staleBy } from "./RecordsBreaking.ts"

type Service = Records["Service"]

const wholeOrNothing = "writes records of all kinds at once, or none of them and no event when one is stale"
const sharing = "commits one of two concurrent changes that share a record, as a whole"
const large = "commits changes of 1,000 records, or none of them when the last one is stale"
const read = "does nothing when a document that was read has changed, is gone or is there, and commits when not"
const crossing = "commits one of two concurrent changes that each read a document which the other one writes"
const order = "orders a change that read a document as absent before the concurrent creation of it"

const reading = (edit: (reads: ReadonlyArray<Read>) => ReadonlyArray<Read>) =>
  changing((change) => ({ ...change, reads: edit(change.reads) }))

/** Looks whether all reads still hold. */
const staleRead = Effect.fnUntraced(function* ({ load }: Service, organisationId: OrganisationId, { reads }: Change) {
  for (const { id, kind, revision } of reads) {
    const { answers } = yield* load("Records", organisationId, [{ kind, by: "id", values: [id] }])
    if ((answers[0]?.stored[0]?.revision ?? null) !== revision) return staleBy(id)
  }
  return null
})

const withoutReads = (change: Change): Change => ({ ...change, reads: [] })

/** Commits the parts of a change one after the other. The first part that is stale is the answer. */
const inParts =
  (size: number) =>
  ({ commit }: Service): Partial<Service> => ({
    commit: (operation, organisationId, change) =>
      Effect.gen(function* () {
        const { events, reads, writes } = change
        const revisions = []
        for (let begin = 0; begin === 0 || begin < writes.length; begin += size) {
          const isFirst = begin === 0
          const part = { ...change, writes: writes.slice(begin, begin + size) }
          const outcome = yield* commit(operation, organisationId, {
            ...part,
            reads: isFirst ? reads : [],
            events: isFirst ? events : []
          })
          if (outcome instanceof Stale) return outcome
          revisions.push(...outcome.revisions)
        }
        return { _tag: "Committed" as const, revisions }
      })
  })

noticesRecords([
  {
    breakage: "ignores what was read",
    replace: reading(() => []),
    noticedBy: [read, crossing, order]
  },
  {
    breakage: "ignores that a record was read as absent",
    replace: reading((reads) => reads.filter(({ revision }) => revision !== null)),
    noticedBy: [read, crossing]
  },
  {
    breakage: "looks at absent records alone",
    replace: reading((reads) => reads.filter(({ revision }) => revision === null)),
    noticedBy: [read, crossing]
  },
  {
    breakage: "expects of a record that was read that it is there, in any state",
    replace: ({ commit, load }) => ({
      commit: (operation, organisationId, change) =>
        Effect.gen(function* () {
          const reads = yield* Effect.forEach(change.reads, (one) =>
            Effect.map(
              load(operation, organisationId, [{ kind: one.kind, by: "id", values: [one.id] }]),
              ({ answers }): Read =>
                one.revision === null ? one : { ...one, revision: answers[0]?.stored[0]?.revision ?? one.revision }
            )
          )
          return yield* commit(operation, organisationId, { ...change, reads })
        })
    }),
    noticedBy: [read]
  },
  {
    breakage: "looks at what was read a moment before it writes",
    replace: lookingBefore(staleRead, withoutReads),
    noticedBy: [crossing]
  },
  {
    breakage: "writes before it looks at what was read",
    replace: (service) => ({
      commit: (operation, organisationId, change) =>
        Effect.gen(function* () {
          const stale = yield* staleRead(service, organisationId, change)
          const outcome = yield* service.commit(operation, organisationId, withoutReads(change))
          return stale ?? outcome
        })
    }),
    noticedBy: [read, crossing]
  },
  {
    breakage: "writes the records of a change one by one",
    replace: inParts(1),
    noticedBy: [wholeOrNothing, sharing]
  },
  {
    breakage: "writes a large change in parts",
    replace: inParts(500),
    noticedBy: [large]
  },
  {
    breakage: "leaves out records of a large change",
    replace: changing((change) => ({ ...change, writes: change.writes.slice(0, 999) })),
    noticedBy: [large]
  },
  {
    breakage: "answers stale after it has written",
    replace: answering((outcome, { reads, writes }) =>
      reads.length > 0 && writes.length > 0 ? staleBy("a record") : outcome
    ),
    noticedBy: [read, crossing]
  },
  {
    breakage: "leaves out stale writes of a change",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        Effect.gen(function* () {
          const whole = yield* commit(operation, organisationId, change)
          if (!(whole instanceof Stale) || change.writes.length === 1) return whole
          const outcomes = yield* Effect.forEach(change.writes, (write) =>
            commit(operation, organisationId, { ...change, writes: [write], events: [] })
          )
          return outcomes.find((outcome) => outcome instanceof Stale) ?? whole
        })
    }),
    noticedBy: [wholeOrNothing, sharing]
  },
  {
    breakage: "answers revisions in the order of ids",
    replace: answering((outcome) =>
      outcome instanceof Stale ? outcome : { ...outcome, revisions: outcome.revisions.toReversed() }
    ),
    noticedBy: [wholeOrNothing, large]
  }
])
