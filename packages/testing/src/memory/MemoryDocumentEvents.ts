/**
 * Events of a step that can change several documents and the cover of their site.
 */
import { type Document, type DocumentId, type EventOrigin, type EventType, siteEvent } from "@solar-sites/core"
import { byId, type Owned } from "./MemoryDatabase.ts"
import { documentEvent, recordEvents } from "./MemoryEventLog.ts"

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
export const recordStep = (owned: Owned, origin: EventOrigin, before: Records, own: DocumentId): void => {
  const isOther = (id: DocumentId) => id !== own
  const changed = [...owned.documents.keys()].filter(
    (id) => owned.documents.get(id)?.document !== before.documents.get(id)?.document
  )
  const deleted = [...before.documents.keys()].filter((id) => !owned.documents.has(id))
  const ids = [...changed, ...deleted]
  const ordered = [...ids.filter((id) => !isOther(id)), ...ids.filter(isOther).sort()]
  const documents = ordered.map((id) => {
    const [from = null, to = null] = [before, owned].map((records) => records.documents.get(id)?.document)
    return documentEvent(typeOf(from, to), from, to)
  })
  const sites = [...owned.sites.values()].filter((site) => site !== before.sites.get(site.id)).sort(byId)
  const siteEvents = sites.map((site) => siteEvent("site.updated", before.sites.get(site.id) ?? null, site))
  recordEvents(owned, origin, [...documents, ...siteEvents])
}

/** Writes the events of new documents, by id. */
export const recordInsertion = (owned: Owned, origin: EventOrigin, inserted: ReadonlyArray<Document>): void =>
  recordEvents(
    owned,
    origin,
    inserted.toSorted(byId).map((document) => documentEvent(typeOf(null, document), null, document))
  )
