/**
 * Events of a step that can change several documents and the cover of their site.
 */
import type { Document, DocumentId, EventOrigin, EventType } from "@solar-sites/core"
import { byId, type Owned } from "./MemoryDatabase.ts"
import { documentEvent, recordEvents, siteEvent } from "./MemoryEventLog.ts"

type Records = Pick<Owned, "documents" | "sites">

/** The records before a step. */
export const recordsOf = ({ documents, sites }: Owned): Records => ({
  documents: new Map(documents),
  sites: new Map(sites)
})

const typeOf = (before: Document | null, after: Document | null): EventType => {
  if (before === null) return "document.requested"
  if (after === null) return "document.deleted"
  // A step leads to no pending document.
  if (before.status !== after.status && after.status !== "pending") return `document.${after.status}`
  return before.replacedBy === null && after.replacedBy !== null ? "document.replaced" : "document.updated"
}

/** Writes the events of all records that differ: of this document, of others by id, of the site. */
export const recordStep = (owned: Owned, origin: EventOrigin, before: Records, own?: DocumentId): void => {
  const ids = [...new Set([...before.documents.keys(), ...owned.documents.keys()])].sort()
  const documents = [...(own === undefined ? [] : [own]), ...ids.filter((id) => id !== own)].flatMap((id) => {
    const [from, to] = [before, owned].map((records) => records.documents.get(id)?.document ?? null)
    return from === undefined || to === undefined || from === to ? [] : [documentEvent(typeOf(from, to), from, to)]
  })
  const sites = [...owned.sites.values()].sort(byId).flatMap((site) => {
    const from = before.sites.get(site.id) ?? null
    return from === site ? [] : [siteEvent("site.updated", from, site)]
  })
  recordEvents(owned, origin, [...documents, ...sites])
}
