/**
 * What sites, portfolios, documents, webhooks and users have in common: the record of a path, and changes
 * with their events.
 */
import { isDeepStrictEqual } from "node:util"
import { changesOf, type Expected, emit, etag, idOf, type Origin, ok, type Rule, refused, type Turn } from "./Call.ts"
import { type Instant, newId } from "./Match.ts"
import type { Organisation } from "./ModelState.ts"

interface Identified {
  id: string
}

interface Versioned extends Identified {
  updatedAt: Instant
  version: number
}

export interface Kind<A extends Identified> {
  /** Type of subjects; the codes of problems begin with it. */
  readonly type: string
  readonly in: (organisation: Organisation) => Map<string, A>
  /** Members as an answer shows them. */
  readonly json: (organisation: Organisation, record: A) => Record<string, unknown>
  readonly nameOf: (record: A) => string
  readonly siteIdOf?: (record: A) => string
  /** Members that events show. */
  readonly members: ReadonlyArray<string>
  /** Members in the form of events, where it is another one. */
  readonly audited?: (organisation: Organisation, record: A) => Partial<A>
}

/** Rules of the record that the path names. */
export const ofRecord =
  <A extends Identified>(kind: Kind<A>) =>
  (answer: (turn: Turn, record: A) => Expected): Rule =>
  (turn) => {
    const record = kind.in(turn.organisation).get(idOf(turn))
    return record === undefined ? refused(404, `${kind.type}_not_found`) : answer(turn, record)
  }

/** Records the event of a creation, a change or a deletion. */
export const emitChange = <A extends Identified>(
  origin: Origin,
  kind: Omit<Kind<A>, "in" | "json">,
  type: string,
  from: A | null,
  to: A | null
): void => {
  const record = to ?? from
  if (record === null) return
  const subject = { type: kind.type, id: record.id, name: kind.nameOf(record) }
  const shownOf = (one: A | null) => one && { ...one, ...kind.audited?.(origin.organisation, one) }
  const changes = changesOf(shownOf(from), shownOf(to), kind.members)
  emit(origin, `${kind.type}.${type}`, subject, kind.siteIdOf?.(record) ?? null, changes)
}

/** Changes a record in place, as one change. Equal values change nothing: then it is false. */
export const change = <A extends Versioned>(
  origin: Origin,
  kind: Kind<A>,
  record: A,
  values: object,
  type = "updated"
): boolean => {
  const before = { ...record }
  Object.assign(record, values)
  if (isDeepStrictEqual(before, record)) return false
  Object.assign(record, { version: before.version + 1, updatedAt: origin.at })
  emitChange(origin, kind, type, before, record)
  return true
}

/** JSON of a new record; its id stores the record. */
export const created = <A extends Identified>(turn: Turn, kind: Kind<A>, record: A, type = "created") => {
  const { organisation, model } = turn
  const id = newId(model, (found) => {
    record.id = found
    kind.in(organisation).set(found, record)
    emitChange(turn, kind, type, null, record)
  })
  return { ...kind.json(organisation, record), id }
}

export const removed = <A extends Identified>(origin: Origin, kind: Kind<A>, record: A): void => {
  kind.in(origin.organisation).delete(record.id)
  origin.organisation.gone.push(record.id)
  emitChange(origin, kind, "deleted", record, null)
}

/** The answer of a single record. */
export const shown = <A extends Versioned>({ organisation }: Turn, kind: Kind<A>, record: A): Expected =>
  ok(200, kind.json(organisation, record), etag(record))
