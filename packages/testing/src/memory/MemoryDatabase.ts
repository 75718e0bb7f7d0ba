/**
 * State of the in-memory adapters. All records are grouped by organisation, so that no method can
 * reach into another one. Code without a yield is one atomic step.
 */
import {
  type AnyKind,
  type Event,
  type Organisation,
  type OrganisationId,
  organisationKind,
  type RecordKind
} from "@solar-sites/core"
import { Context, Layer } from "effect"

/**
 * Records of one organisation by the name of their kind and by id. Records are frozen; a change replaces them. Events
 * ascend by sequence; `last` outlives their purge.
 */
export interface MemoryOrganisation {
  readonly records: Map<string, Map<string, object>>
  readonly events: { readonly kept: Array<Event>; last: number }
}

/**
 * All organisations by id. An entry stays when its organisation is deleted, for the files listed for deletion.
 */
export class MemoryDatabase extends Context.Service<MemoryDatabase, Map<OrganisationId, MemoryOrganisation>>()(
  "@solar-sites/testing/MemoryDatabase"
) {
  /** Empty each time it is built. */
  static readonly layer: Layer.Layer<MemoryDatabase> = Layer.sync(MemoryDatabase, () => new Map())
}

/** The entry of an organisation, to write to. */
export const ownerOf = (database: MemoryDatabase["Service"], organisationId: OrganisationId): MemoryOrganisation => {
  const owner = database.get(organisationId) ?? { records: new Map(), events: { kept: [], last: 0 } }
  database.set(organisationId, owner)
  return owner
}

/** The stored records of a kind. */
export const recordsIn = (
  owner: MemoryOrganisation | undefined,
  { name }: Pick<AnyKind, "name">
): ReadonlyMap<string, object> => owner?.records.get(name) ?? new Map()

/** The same, of a known type. */
export const recordsOf = <R extends { readonly id: string }>(
  owner: MemoryOrganisation | undefined,
  kind: RecordKind<R>
  // Under the name of a kind are records of that kind.
): ReadonlyMap<string, R> => recordsIn(owner, kind) as ReadonlyMap<string, R>

/** The organisation itself; undefined when it does not exist. */
export const organisationOf = (owner: MemoryOrganisation | undefined): Organisation | undefined =>
  recordsOf(owner, organisationKind).values().next().value

/** A copy that cannot change, as deep as arrays and plain objects go. */
const frozen = (value: unknown): unknown => {
  if (Array.isArray(value)) return Object.freeze(value.map(frozen))
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, frozen(inner)])))
}

/** Stores an immutable copy of a record, and returns it. */
export const putRecord = ({ records }: MemoryOrganisation, { name }: Pick<AnyKind, "name">, record: object): object => {
  const members = Object.entries(record).map(([member, value]) => [member, frozen(value)])
  const copy = Object.assign(Object.create(Object.getPrototypeOf(record)), Object.fromEntries(members))
  const all = records.get(name) ?? new Map()
  records.set(name, all.set(copy.id, Object.freeze(copy)))
  return copy
}

export const removeRecord = ({ records }: MemoryOrganisation, { name }: Pick<AnyKind, "name">, id: string): void =>
  void records.get(name)?.delete(id)
