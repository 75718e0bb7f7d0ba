/** `Records` in memory. */
import {
  type AnyKind,
  type Change,
  type Committed,
  type EventOrigin,
  type Find,
  foundOf,
  fullBounds,
  MaximumPageBytes,
  memberText,
  type NewEvent,
  numberedEvents,
  type OrganisationId,
  obstacleTo,
  type Portfolio,
  pageOf,
  portfolioKind,
  Records,
  RepositoryError,
  Revision,
  type Stale,
  type StoredRecords,
  siteKind,
  type WebhookRecord,
  type Write,
  webhookDeliveryKind,
  webhookKind,
  withinLimits,
  withLastDelivery,
  withTotals,
  writtenKinds
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import {
  MemoryDatabase,
  type MemoryOrganisation,
  ownerOf,
  putRecord,
  recordsIn,
  recordsOf,
  removeRecord
} from "./MemoryDatabase.ts"

type Owner = MemoryOrganisation | undefined

/** Revisions by identity: records are immutable, and every write stores another object. */
const makeRevisions = () => {
  const revisions = new WeakMap<object, Revision>()
  let last = 0
  return (record: object): Revision => {
    const revision = revisions.get(record) ?? Revision(String(++last))
    revisions.set(record, revision)
    return revision
  }
}

/** The records with one of the values in a member. */
const having = (owner: Owner, kind: Pick<AnyKind, "name">, member: string, values: ReadonlySet<string | null>) =>
  [...recordsIn(owner, kind).values()].filter((record) => {
    const value = memberText(record, member)
    return value !== null && values.has(value)
  })

/** Other adapters have an index of these members alone. */
const expectIndexed = ({ indexed = [], name, references, unique }: AnyKind, by: string): void => {
  const members = ["id", ...unique, ...indexed, ...references.map(({ member }) => member)]
  if (!members.includes(by)) throw new Error(`${name} declares no member ${by} to find records by`)
}

const found = (owner: Owner, { by, kind, values }: Find): ReadonlyArray<object> => {
  expectIndexed(kind, by)
  const wanted = new Set("of" in values ? found(owner, values.of).map((one) => memberText(one, values.member)) : values)
  const records = recordsIn(owner, kind)
  return by === "id" ? [...wanted].flatMap((id) => records.get(id ?? "") ?? []) : having(owner, kind, by, wanted)
}

/** The record with the members that are computed from other records. */
const computed = (owner: Owner, kind: AnyKind, record: object): object => {
  const id = new Set([memberText(record, "id")])
  if (kind === portfolioKind) {
    const sites = [...recordsOf(owner, siteKind).values()].filter(({ portfolioId }) => id.has(portfolioId))
    // A record of this kind is a portfolio.
    return withTotals(record as Portfolio, sites)
  }
  if (kind !== webhookKind) return record
  const deliveries = [...recordsOf(owner, webhookDeliveryKind).values()].filter(({ webhookId }) => id.has(webhookId))
  // A record of this kind is a webhook.
  return withLastDelivery(record as WebhookRecord, deliveries)
}

/** Whether a new record has a generated value of another one, of any organisation. */
const isDuplicate = (database: MemoryDatabase["Service"], { after, before, kind }: Write): boolean =>
  before === null &&
  after !== null &&
  (kind.generated ?? []).some((member) => {
    const values = new Set([memberText(after, member)])
    return [...database.values()].some((owner) => having(owner, kind, member, values).length > 0)
  })

/** Appends the events of one step, in order. */
export const recordEvents = (
  { events }: MemoryOrganisation,
  origin: EventOrigin,
  recorded: ReadonlyArray<NewEvent>
): void => {
  const last = { sequence: events.last, occurredAt: events.kept.at(-1)?.occurredAt ?? null }
  for (const event of numberedEvents(recorded, origin, last)) events.kept.push(Object.freeze(event))
  events.last += recorded.length
}

/** Removes a record, and those that go with it. */
const remove = (owner: MemoryOrganisation, removed: Pick<AnyKind, "name">, id: string): void => {
  removeRecord(owner, removed, id)
  for (const kind of writtenKinds) {
    for (const { cascade, kind: name, member } of kind.references) {
      if (!cascade || name !== removed.name) continue
      for (const record of having(owner, kind, member, new Set([id])))
        remove(owner, kind, memberText(record, "id") ?? "")
    }
  }
}

export const layer: Layer.Layer<Records, never, MemoryDatabase> = Layer.effect(
  Records,
  Effect.map(MemoryDatabase, (database) => {
    const revisionOf = makeRevisions()

    const storedIn = (owner: Owner): StoredRecords => ({
      revisionOf: (kind, id) => {
        const record = recordsIn(owner, kind).get(id)
        return record === undefined ? null : revisionOf(record)
      },
      idsBy: (kind, member, values) =>
        having(owner, kind, member, values).flatMap((one) => memberText(one, "id") ?? []),
      recordsOf: (kind) => recordsIn(owner, kind).values()
    })

    const apply = (organisationId: OrganisationId, change: Change): Committed | Stale => {
      const stale = obstacleTo(storedIn(database.get(organisationId)), change, writtenKinds)
      if (stale !== undefined) return stale
      const owner = ownerOf(database, organisationId)
      const revisions = change.writes.map(({ after, before, id, kind }) => {
        if (after === null) remove(owner, kind, id)
        const stored = after && putRecord(owner, kind, after)
        return stored === null || before === null ? null : revisionOf(stored)
      })
      recordEvents(owner, change.origin, change.events)
      return { _tag: "Committed", revisions }
    }

    return Records.of({
      load: (operation, organisationId, finds, { bounds, lastSequence } = {}) =>
        Effect.suspend(() => {
          const owner = database.get(organisationId)
          const stored = (find: Find) =>
            found(owner, find).map((one) => ({ record: computed(owner, find.kind, one), revision: revisionOf(one) }))
          const answers = finds.map((find) => ({ find, stored: stored(find) }))
          const result = foundOf(answers, {
            full: bounds === undefined ? [] : fullBounds(storedIn(owner), bounds.kind, bounds.at),
            lastSequence: lastSequence ? (owner?.events.last ?? 0) : 0
          })
          return Effect.as(withinLimits(operation, answers), result)
        }),
      list: (_, organisationId, kind, { of, page }) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owner = database.get(organisationId)
          const all =
            of === undefined ? recordsIn(owner, kind).values() : having(owner, kind, of.member, new Set([of.value]))
          // Every record has an id.
          const records = Array.from(all, (one) => computed(owner, kind, one) as object & { readonly id: string })
          return pageOf(records, page, bytes)
        }),
      commit: (operation, organisationId, change) =>
        Effect.suspend(() => {
          const isTaken = change.writes.some((write) => isDuplicate(database, write))
          return isTaken ? Effect.fail(duplicate(operation)) : Effect.succeed(apply(organisationId, change))
        })
    })
  })
)

/** Failure of a duplicate id or digest, like a unique constraint. Both are generated, so this is a bug. */
export const duplicate = (operation: string): RepositoryError =>
  new RepositoryError({ operation, retryable: false, cause: new Error("duplicate id or digest") })
