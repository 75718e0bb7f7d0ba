/**
 * The event of a change, which every contestant stores together with it.
 */
import { v7 } from "uuid"
import type { Caller } from "./keys.ts"

/** Who makes a change, when, and in which request. */
export interface Origin extends Caller {
  readonly requestId: string
  readonly at: Date
}

export const originOf = (caller: Caller, requestId: string): Origin => ({ ...caller, requestId, at: new Date() })

export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

const empty = new Set(["null", "[]", "{}"])

/** Members that differ. `before` is null for a new record, of which members without a value are left out. */
export const changesBetween = (members: ReadonlyArray<string>, before: object | null, after: object): Changes => {
  const changes: Record<string, { from: unknown; to: unknown }> = {}
  for (const member of members) {
    const from: unknown = (before && Reflect.get(before, member)) ?? null
    const to: unknown = Reflect.get(after, member) ?? null
    const [old, next] = [JSON.stringify(from), JSON.stringify(to)]
    if (old !== next && !(before === null && empty.has(next))) changes[member] = { from, to }
  }
  return changes
}

export interface NewEvent {
  readonly type: "site.created" | "site.updated" | "document.requested"
  readonly subjectId: string
  readonly subjectName: string
  readonly siteId: string
  readonly changes: Changes
}

export const siteEvent = <A extends { readonly id: string; readonly siteName: string }>(
  members: ReadonlyArray<string>,
  before: A | null,
  after: A
): NewEvent => ({
  type: before === null ? "site.created" : "site.updated",
  subjectId: after.id,
  subjectName: after.siteName,
  siteId: after.id,
  changes: changesBetween(members, before, after)
})

/** Rows of the table for an ORM; `last` is the sequence of the last one. */
export const eventRows = (origin: Origin, events: ReadonlyArray<NewEvent>, last: number) => {
  const { apiKeyId, at, keyPrefix, organisationId, requestId, userId } = origin
  return events.map((event, index) => ({
    ...event,
    id: v7(),
    organisationId,
    sequence: last - events.length + index + 1,
    occurredAt: at,
    userId,
    apiKeyId,
    keyPrefix,
    requestId
  }))
}

const documentMembers = ["type", "documentType", "filename", "status", "mimeType", "sizeBytes", "omRecordId"]

export const requestedEvents = (
  siteId: string,
  documents: ReadonlyArray<{ readonly id: string; readonly filename: string }>
): ReadonlyArray<NewEvent> =>
  documents.map((document) => ({
    type: "document.requested",
    subjectId: document.id,
    subjectName: document.filename,
    siteId,
    changes: changesBetween(documentMembers, null, { ...document, status: "pending" })
  }))
