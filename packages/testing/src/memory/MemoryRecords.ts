/**
 * `Records` in memory.
 *
 * @since 0.1.0
 */
import { foundOf, type OrganisationId, Records, Revision, type Site, Stale, type Write } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, type MemoryOrganisation } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { frozenSite } from "./MemorySite.ts"

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

/** The stored records of a kind by id, and an immutable copy of one that is stored. */
const kindOf = (
  owner: MemoryOrganisation | undefined,
  kind: string
): { readonly records: ReadonlyMap<string, object>; readonly put: (id: string, record: object) => object } => {
  const put = () => {
    throw new Error(`no rule writes a ${kind}`)
  }
  const none = new Map<string, object>()
  switch (kind) {
    case "organisation":
      return { records: owner?.organisation ? new Map([[owner.organisation.id, owner.organisation]]) : none, put }
    case "portfolio":
      return { records: owner?.portfolios ?? none, put }
    case "site":
      return {
        records: owner?.sites ?? none,
        put: (_, record) => {
          // A write of this kind is a site.
          const site = frozenSite(record as Site)
          owner?.sites.set(site.id, site)
          return site
        }
      }
    default:
      throw new Error(`${kind} is no kind of record`)
  }
}

/** What stands against a write; undefined when it can be stored. */
const conflictOf = (
  owner: MemoryOrganisation | undefined,
  { after, before, id, kind }: Write,
  revisionOf: (record: object) => Revision
): string | undefined => {
  const { records } = kindOf(owner, kind.name)
  const stored = records.get(id)
  const revision = stored === undefined ? null : revisionOf(stored)
  if (revision !== (before?.revision ?? null)) return `${kind.name} ${id}`
  const taken = kind.unique.find((member) => {
    const value: unknown = Reflect.get(after, member)
    return (
      value !== null && [...records].some(([other, record]) => other !== id && Reflect.get(record, member) === value)
    )
  })
  if (taken !== undefined) return taken
  return kind.references.find(({ kind: parent, member }) => {
    const value: unknown = Reflect.get(after, member)
    return value !== null && !kindOf(owner, parent).records.has(String(value))
  })?.member
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Records, never, MemoryDatabase> = Layer.effect(
  Records,
  Effect.map(MemoryDatabase, (database) => {
    const revisionOf = makeRevisions()
    return Records.of({
      load: (_, organisationId, finds) =>
        Effect.sync(() =>
          foundOf(
            finds.map((find) => ({
              find,
              stored: [...kindOf(database.get(organisationId), find.kind.name).records.values()]
                .filter((record) => {
                  const value: unknown = Reflect.get(record, find.by)
                  return typeof value === "string" && find.values.includes(value)
                })
                .map((record) => ({ record, revision: revisionOf(record) }))
            }))
          )
        ),
      commit: (_, organisationId: OrganisationId, { events, origin, writes }) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          const conflicts = writes.flatMap((write) => conflictOf(owner, write, revisionOf) ?? [])
          const [conflict = owner === undefined ? "organisation" : undefined] = conflicts
          if (conflict !== undefined || owner === undefined) return new Stale({ conflict: conflict ?? "" })
          const revisions = writes.map(({ after, before, id, kind }) => {
            const stored = kindOf(owner, kind.name).put(id, after)
            return before === null ? null : revisionOf(stored)
          })
          recordEvents(owner, origin, events)
          return { _tag: "Committed" as const, revisions }
        })
    })
  })
)
