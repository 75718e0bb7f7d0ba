import { type AnyKind, apiKeyKind, type Change, Stale } from "@solar-sites/core"
import { Effect } from "effect"
import { answering, declaring, lookingBefore, noticesRecords } from "./RecordsBreaking.ts"

// Cases of all bounds are made by one function. The largest bound takes a hundred times as long.
const name = "liveApiKeys"
const noticedBy = [
  "lets at most 100 records of an organisation hold in liveApiKeys, among concurrent creations and changes"
] as const

const full = new Stale({ conflict: name, full: name })

const withoutBounds = (change: Change): Change => ({
  ...change,
  writes: change.writes.map((write) => ({ ...write, kind: { ...write.kind, bounds: [] } }))
})

type Bound = AnyKind["bounds"][number]

/** Declares kinds with other bounds: one for each, as a change counts the records of an organisation once per bound. */
const declaringBounds = (edit: Partial<Bound>) => {
  const edited = new Map<Bound, Bound>()
  return declaring(({ bounds }) => ({
    bounds: bounds.map((bound) => {
      const other = edited.get(bound) ?? { ...bound, ...edit }
      edited.set(bound, other)
      return other
    })
  }))
}

noticesRecords([
  {
    breakage: "changes records beyond a bound",
    replace: declaring((_, { before }) => (before === null ? {} : { bounds: [] })),
    noticedBy
  },
  {
    breakage: "counts a moment before it stores a record",
    replace: lookingBefore(({ load }, organisationId, { at, writes }) => {
      if (writes[0]?.kind.name !== apiKeyKind.name || writes.length > 1) return Effect.succeed(null)
      return Effect.map(load("Records", organisationId, [], { bounds: { kind: apiKeyKind, at } }), ({ isFull }) =>
        isFull(name) && writes[0]?.before === null ? full : null
      )
    }, withoutBounds),
    noticedBy
  },
  {
    breakage: "counts records that do not hold",
    replace: declaringBounds({ holds: () => true }),
    noticedBy
  },
  {
    breakage: "does not name the bound that is full",
    replace: answering((outcome) => (outcome instanceof Stale ? new Stale({ conflict: outcome.conflict }) : outcome)),
    noticedBy
  },
  {
    breakage: "counts the records of all organisations",
    replace: ({ commit }, organisations) => ({
      commit: (operation, organisationId, change) =>
        Effect.suspend(() => {
          const isKey = change.writes[0]?.kind.name === apiKeyKind.name
          const isFirst = isKey && organisations.get(organisationId)?.apiKeys.size === 0
          const count = [...organisations.values()].reduce((sum, { apiKeys }) => sum + apiKeys.size, 0)
          return isFirst && count >= 100 ? Effect.succeed(full) : commit(operation, organisationId, change)
        })
    }),
    noticedBy
  },
  {
    breakage: "finds a bound full that has room",
    replace: ({ load }) => ({
      load: (...given) => Effect.map(load(...given), (found) => ({ ...found, isFull: () => true }))
    }),
    noticedBy
  }
])
