/**
 * Records within a reach: others are absent from loads, and no commit writes them.
 */
import { Effect } from "effect"
import { isReached, type LimitedReach, type Reach } from "../caller/Reach.ts"
import { type FoundRecords, foundOf, keyOf } from "./Found.ts"
import { memberText } from "./Obstacles.ts"
import type { AnyKind, Change, Find } from "./RecordKind.ts"
import type { Records } from "./Records.ts"

/** The find of the records that decide where the records of another find belong; undefined when they do so themselves. */
const deciding = (find: Find): Find | undefined => {
  const { belongsTo } = find.kind
  if (typeof belongsTo !== "object" || !("as" in belongsTo)) return undefined
  const { as: kind, member } = belongsTo
  const { values } = find
  if (!("of" in values)) {
    const isSame = member === "id" && find.by === "id"
    return { kind, by: "id", values: isSame ? values : { of: { ...find, values }, member } }
  }
  // A document is found beside its neighbours in a chain, which are of the same site.
  return values.of.kind === find.kind ? deciding(values.of) : undefined
}

const keyOfFind = ({ by, kind, values }: Find): string =>
  JSON.stringify([kind.name, kind.isExistence, by, "of" in values ? [keyOfFind(values.of), values.member] : values])

/** The finds, with those that decide where their records belong. */
const withDeciding = (finds: ReadonlyArray<Find>): ReadonlyArray<Find> => {
  const known = new Map(finds.map((find) => [keyOfFind(find), find]))
  for (const find of finds) {
    const further = deciding(find)
    if (further !== undefined && !known.has(keyOfFind(further))) known.set(keyOfFind(further), further)
  }
  return [...known.values()]
}

/** Whether a record is within the reach. `isThere` tells whether a record of another kind is. */
const isWithin = (
  reach: LimitedReach,
  { belongsTo }: AnyKind,
  record: object,
  isThere: (kind: AnyKind, id: string) => boolean
): boolean => {
  if (belongsTo === undefined) return false
  if (belongsTo === "organisation") return true
  const id = memberText(record, "as" in belongsTo ? belongsTo.member : belongsTo.portfolio)
  if ("as" in belongsTo) return id !== null && isThere(belongsTo.as, id)
  return id === null ? belongsTo.orNone === true : isReached(reach, id)
}

/** The answers without records that are outside, and the keys of these. */
const visible = (reach: LimitedReach, answers: ReadonlyArray<FoundRecords>) => {
  const idsThere = new Set(
    answers.flatMap(({ find: { kind }, stored }) =>
      stored.flatMap(({ record }) =>
        isWithin(reach, kind, record, () => false) ? keyOf(kind, "id", memberText(record, "id") ?? "") : []
      )
    )
  )
  const hidden = new Set<string>()
  const kept = answers.map(({ find, stored }) => ({
    find,
    stored: stored.filter(({ record }) => {
      const isKept = isWithin(reach, find.kind, record, (kind, id) => idsThere.has(keyOf(kind, "id", id)))
      if (!isKept) hidden.add(keyOf(find.kind, find.by, memberText(record, find.by) ?? ""))
      return isKept
    })
  }))
  return { kept, hidden }
}

/**
 * Dies when a change writes another record. Rules decide on loaded records and so never do that; a rule that reads
 * too little would.
 */
const expectWithin = (reach: LimitedReach, { reads, writes }: Change): void => {
  // A record that decides is read or written with the change, so that it still is where it was.
  const known = new Set([
    ...reads.flatMap(({ id, kind, revision }) => (revision === null ? [] : keyOf(kind, "id", id))),
    ...writes.flatMap(({ before, id, kind }) => (before === null ? [] : keyOf(kind, "id", id)))
  ])
  for (const { after, before, kind } of writes) {
    for (const record of [before?.record, after]) {
      if (record == null || isWithin(reach, kind, record, (other, id) => known.has(keyOf(other, "id", id)))) continue
      throw new Error(`a change of a ${kind.name} outside of the portfolios of its caller`)
    }
  }
}

/** The records within a reach: all of them for a whole organisation. */
export const recordsIn = (records: Records["Service"], reach: Reach): Records["Service"] =>
  typeof reach === "string" ? records : recordsWithin(records, reach)

/** The finds by unique values, of those values that no found record has. */
const unmatched = (finds: ReadonlyArray<Find>, answers: ReadonlyArray<FoundRecords>): ReadonlyArray<Find> =>
  answers.flatMap(({ find, stored }) => {
    const { by, kind, values } = find
    const isUnique = by === "id" || kind.unique.includes(by)
    if ("of" in values || !isUnique || kind.isExistence || typeof kind.belongsTo !== "object") return []
    if (!finds.includes(find)) return []
    const there = new Set(stored.map(({ record }) => memberText(record, by)))
    const missing = values.filter((value) => !there.has(value))
    return missing.length === 0 ? [] : [{ ...find, values: missing }]
  })

const recordsWithin = ({ commit, load }: Records["Service"], reach: LimitedReach): Records["Service"] => {
  const { organisationId, portfolioIds: within } = reach

  const loadWithin: Records["Service"]["load"] = (operation, _organisationId, finds, options) =>
    Effect.flatMap(
      load(operation, organisationId, withDeciding(finds), { ...options, within }),
      ({ answers, isFull, lastSequence }) => {
        const { kept } = visible(reach, answers)
        const found = (hidden: ReadonlySet<string>) => ({ ...foundOf(kept, { hidden, lastSequence }), isFull })
        const missing = unmatched(finds, kept)
        if (missing.length === 0) return Effect.succeed(found(new Set()))
        // The only load that reads outside. Rules learn that a unique value is taken, and nothing else. It is made for
        // absent values too, so that both take the same time.
        return Effect.flatMap(load(operation, organisationId, withDeciding(missing)), (second) => {
          const { hidden, kept: later } = visible(reach, second.answers)
          const isStale = later.some(({ find, stored }) => missing.includes(find) && stored.length > 0)
          return isStale ? loadWithin(operation, organisationId, finds, options) : Effect.succeed(found(hidden))
        })
      }
    )

  return {
    load: loadWithin,

    commit: (operation, _organisationId, change) =>
      Effect.suspend(() => {
        expectWithin(reach, change)
        return commit(operation, organisationId, { ...change, within })
      }),

    // Lists of these kinds are of keys and webhooks.
    list: () => Effect.succeed({ items: [], hasMore: false })
  }
}
