/**
 * `Records` in memory.
 *
 * @since 0.1.0
 */
import {
  type AnyKind,
  ApiKeyRecord,
  beginsToHold,
  type Change,
  type Committed,
  type Find,
  foundOf,
  type OrganisationId,
  type Portfolio,
  Records,
  Revision,
  type Site,
  Stale,
  type Stored,
  type Write
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { duplicate, MemoryDatabase, type MemoryOrganisation } from "./MemoryDatabase.ts"
import { documentRecordsOf, fileRecordsOf } from "./MemoryDocumentRecords.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { existing, kept, type MemoryKind } from "./MemoryKind.ts"
import { frozenPortfolio, withTotals } from "./MemoryPortfolio.ts"
import { frozenSite } from "./MemorySite.ts"
import { webhookRecordsOf } from "./MemoryWebhook.ts"

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

const frozenApiKey = (apiKey: ApiKeyRecord): ApiKeyRecord =>
  Object.freeze(new ApiKeyRecord(apiKey, { disableChecks: true }))

/** A frozen copy of a record without objects in its members. */
const frozen = <Stored extends object>(record: Stored): Stored => Object.freeze({ ...record })

const kindOf = (
  owner: MemoryOrganisation | undefined,
  { isExistence, name }: Pick<AnyKind, "name" | "isExistence">
): MemoryKind => {
  if (owner === undefined) return existing(new Map())
  switch (name) {
    case "organisation":
      return existing(new Map(owner.organisation ? [[owner.organisation.id, owner.organisation]] : []))
    case "portfolio":
      return isExistence
        ? existing(owner.portfolios)
        : {
            ...kept(owner.portfolios, frozenPortfolio),
            // A stored record of the map is a portfolio.
            read: (portfolio) => withTotals(owner, portfolio as Portfolio)
          }
    case "site":
      return kept(owner.sites, (site: Site) => frozenSite(site))
    case "document":
      return documentRecordsOf(owner)
    case "file":
      return fileRecordsOf(owner)
    case "api_key":
      return kept(owner.apiKeys, frozenApiKey)
    case "webhook":
      return webhookRecordsOf(owner)
    case "requirement_list":
      return kept(owner.requirementLists, frozen)
    case "requirement":
      return kept(owner.requirements, frozen)
    default:
      throw new Error(`${name} is no kind of record`)
  }
}

const textOf = (record: object, member: string): string | null => {
  const value: unknown = Reflect.get(record, member)
  return value === null || value === undefined ? null : String(value)
}

/** The records that a find names, in ascending order of id. */
const find = (owner: MemoryOrganisation | undefined, { by, kind, values }: Find): ReadonlyArray<object> => {
  const wanted = new Set("of" in values ? find(owner, values.of).map((one) => textOf(one, values.member)) : values)
  const { get, values: all } = kindOf(owner, kind)
  if (by === "id") return [...wanted].flatMap((id) => (id === null ? [] : (get(id) ?? [])))
  return all().filter((record) => {
    const value = textOf(record, by)
    return value !== null && wanted.has(value)
  })
}

const countOf = (owner: MemoryOrganisation, kind: AnyKind, bound: string, at: Change["at"]): number => {
  const found = kind.bounds.find(({ name }) => name === bound)
  // The records of a kind are what its bounds judge.
  return kindOf(owner, kind)
    .values()
    .filter((one) => found?.holds(one as never, at)).length
}

/** What stands against a write; undefined when it can be stored. */
const conflictOf = (
  owner: MemoryOrganisation,
  { after, before, id, kind }: Write,
  removed: ReadonlySet<string>,
  revisionOf: (record: object) => Revision
): string | undefined => {
  const { get, values } = kindOf(owner, kind)
  const stored = get(id)
  const revision = stored === undefined ? null : revisionOf(stored)
  if (revision !== (before?.revision ?? null)) return `${kind.name} ${id}`
  if (after === null) return undefined
  const taken = kind.unique.find((member) => {
    const value = textOf(after, member)
    return (
      value !== null &&
      values().some((record) => {
        const other = textOf(record, "id") ?? ""
        return other !== id && !removed.has(other) && textOf(record, member) === value
      })
    )
  })
  if (taken !== undefined) return taken
  return kind.references.find(({ kind: parent, member }) => {
    const value = textOf(after, member)
    return value !== null && kindOf(owner, { name: parent }).get(value) === undefined
  })?.member
}

/** Whether a new record has a generated value of another one, in any organisation. */
const isDuplicate = (database: MemoryDatabase["Service"], { after, before, kind }: Write): boolean => {
  const { generated = [] } = kind
  if (before !== null || after === null || generated.length === 0) return false
  const others = [...database.values()].flatMap((owner) => kindOf(owner, kind).values())
  return others.some((other) => generated.some((member) => textOf(other, member) === textOf(after, member)))
}

/** The name of a bound that a change would exceed. */
const fullBound = (owner: MemoryOrganisation, { at, writes }: Change): string | undefined => {
  const begun = new Map(writes.flatMap((write) => beginsToHold(write, at).map(({ name }) => [name, write.kind])))
  return [...begun].find(([name, kind]) => {
    const bound = kind.bounds.find((one) => one.name === name)
    // The records of a kind are what its bounds judge.
    const holds = (record: object | undefined | null) => (record && bound?.holds(record as never, at) ? 1 : 0)
    const own = writes.filter((write) => write.kind === kind)
    const added = own.reduce((sum, { after, before }) => sum + holds(after) - holds(before?.record), 0)
    return countOf(owner, kind, name, at) + added > (bound?.maximum ?? 0)
  })?.[0]
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Records, never, MemoryDatabase> = Layer.effect(
  Records,
  Effect.map(MemoryDatabase, (database) => {
    const revisionOf = makeRevisions()

    const staleness = (owner: MemoryOrganisation, change: Change): Stale | undefined => {
      const removed = new Set(change.writes.flatMap(({ after, id }) => (after === null ? [id] : [])))
      const conflicts = change.writes.flatMap((write) => conflictOf(owner, write, removed, revisionOf) ?? [])
      const read = change.reads.flatMap(({ id, kind, revision }) => {
        const stored = kindOf(owner, kind).get(id)
        return (stored === undefined ? null : revisionOf(stored)) === revision ? [] : [`${kind.name} ${id}`]
      })
      const [conflict] = [...conflicts, ...read]
      if (conflict !== undefined) return new Stale({ conflict })
      const full = fullBound(owner, change)
      return full === undefined ? undefined : new Stale({ conflict: full, full })
    }

    const apply = (organisationId: OrganisationId, change: Change): Committed | Stale => {
      const owner = database.get(organisationId)
      if (owner === undefined) return new Stale({ conflict: "organisation" })
      const stale = staleness(owner, change)
      if (stale !== undefined) return stale
      const revisions = change.writes.map(({ after, before, id, kind }) => {
        const { put, remove } = kindOf(owner, kind)
        if (after === null) {
          remove(id)
          return null
        }
        const stored = put(after)
        return before === null ? null : revisionOf(stored)
      })
      recordEvents(owner, change.origin, change.events)
      return { _tag: "Committed" as const, revisions }
    }

    return Records.of({
      load: (_, organisationId, finds, { bounds, lastSequence } = {}) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          const storedOf =
            ({ kind }: Find) =>
            (record: object): Stored<object> => {
              const { read = (one) => one } = kindOf(owner, kind)
              return { record: read(record), revision: revisionOf(record) }
            }
          const full =
            bounds === undefined || owner === undefined
              ? []
              : bounds.kind.bounds.filter(
                  ({ maximum, name }) => countOf(owner, bounds.kind, name, bounds.at) >= maximum
                )
          return foundOf(
            finds.map((one) => ({ find: one, stored: find(owner, one).map(storedOf(one)) })),
            { full: full.map(({ name }) => name), lastSequence: lastSequence ? (owner?.events.last ?? 0) : 0 }
          )
        }),
      commit: (operation, organisationId: OrganisationId, change) =>
        Effect.suspend(() => {
          const isTaken = change.writes.some((write) => isDuplicate(database, write))
          return isTaken ? Effect.fail(duplicate(operation)) : Effect.succeed(apply(organisationId, change))
        })
    })
  })
)
