import {
  type AnyKind,
  type Found,
  foundOf,
  type Records,
  Revision,
  Stale,
  type Stored,
  type Write
} from "@solar-sites/core"
import { Effect } from "effect"
import { noticesRecords } from "./RecordsBreaking.ts"

type Service = Records["Service"]

/** Revisions that are computed from a record. */
const computing =
  (revisionOf: (kind: AnyKind, record: object) => string) =>
  ({ commit, load }: Service): Partial<Service> => {
    const computed = (kind: AnyKind, { record }: Stored<object>): Stored<object> => ({
      record,
      revision: Revision(revisionOf(kind, record))
    })
    const current = (operation: string, organisationId: Parameters<Service["load"]>[1], kind: AnyKind, id: string) =>
      Effect.map(
        load(operation, organisationId, [{ kind, by: "id", values: [id] }]),
        ({ answers }) => answers[0]?.stored[0] ?? null
      )
    return {
      load: (...given) =>
        Effect.map(load(...given), (found): Found => {
          const answers = found.answers.map(({ find, stored }) => ({
            find,
            stored: stored.map((one) => computed(find.kind, one))
          }))
          return { ...found, ...foundOf(answers, found), isFull: found.isFull }
        }),
      commit: (operation, organisationId, change) =>
        Effect.gen(function* () {
          const writes: Array<Write> = []
          for (const write of change.writes) {
            const before = yield* current(operation, organisationId, write.kind, write.id)
            const isSame = before !== null && computed(write.kind, before).revision === write.before?.revision
            writes.push(isSame ? { ...write, before } : write)
          }
          const outcome = yield* commit(operation, organisationId, { ...change, writes })
          if (outcome instanceof Stale) return outcome
          const revisions = change.writes.map(({ after, before, kind }) =>
            after === null || before === null ? null : Revision(revisionOf(kind, after))
          )
          return { ...outcome, revisions }
        })
    }
  }

const claimed = "gives a pending document another revision when it is claimed"
const changed = "changes every member of a document in turn and all at once, and answers the revision"

noticesRecords([
  {
    breakage: "takes the version for the revision",
    replace: computing((_, record) => String(Reflect.get(record, "version"))),
    noticedBy: ["gives a site another revision after every change, by whatever method, also of one version", changed]
  },
  {
    breakage: "takes the members that callers see for the revision",
    replace: computing((_, record) => JSON.stringify({ ...record, lookAt: null, dueAt: null, claimedUntil: null })),
    noticedBy: [claimed, "gives a file another revision when it is claimed, and when its deletion is put off"]
  }
])
