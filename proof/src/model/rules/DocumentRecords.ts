/**
 * Records of documents: their JSON, their events, the chains of revisions, and what time does by itself
 * (specification, sections 5 and 11).
 */
import { documentMembers } from "@solar-sites/core/model"
import type { Origin } from "../Call.ts"
import { between } from "../Match.ts"
import type { Document, Organisation } from "../ModelState.ts"
import { change, type Kind, removed } from "../Records.ts"
import { changeSite } from "./SiteRecords.ts"

export const documentKind: Kind<Document> = {
  type: "document",
  in: ({ documents }) => documents,
  json: ({ id: organisationId }, { addressExpiresAt: _, ...document }) => ({
    ...document,
    organisationId,
    path: `${organisationId}/${document.siteId}/${document.id}`
  }),
  nameOf: ({ filename }) => filename,
  siteIdOf: ({ siteId }) => siteId,
  members: documentMembers
}

export const changeDocument = (origin: Origin, document: Document, type: string, values: Partial<Document>): boolean =>
  change(origin, documentKind, document, values, type)

const hasArrived = ({ status }: Document): boolean => ["uploaded", "approved", "completed"].includes(status)

export const isCurrent = (document: Document): boolean => hasArrived(document) && document.replacedBy === null

/** The document of a chain before this one. */
const predecessor = ({ documents }: Organisation, { id, replaces }: Document): Document | undefined => {
  const found = documents.get(replaces ?? "")
  return found?.replacedBy === id ? found : undefined
}

/** Joins the neighbours of a document that leaves its chain. */
const leaveChain = (origin: Origin, document: Document): void => {
  const { documents } = origin.organisation
  const before = predecessor(origin.organisation, document)
  const after = documents.get(document.replacedBy ?? "")
  if (before !== undefined) changeDocument(origin, before, "updated", { replacedBy: document.replacedBy })
  for (const other of documents.values()) {
    if (other === after || other.replaces === document.id)
      changeDocument(origin, other, "updated", { replaces: document.replaces })
  }
}

const detachCover = (origin: Origin, document: Document): void => {
  const site = origin.organisation.sites.get(document.siteId)
  if (site?.coverId === document.id) changeSite(origin, site, { coverImageUrl: null })
}

/** `alone` is false for the documents of a deleted site. */
export const removeDocument = (origin: Origin, document: Document, { alone }: { readonly alone: boolean }): void => {
  removed(origin, documentKind, document)
  if (!alone) return
  leaveChain(origin, document)
  detachCover(origin, document)
}

export const reject = (origin: Origin, document: Document, values: Partial<Document>): void => {
  const { replacedBy } = document
  changeDocument(origin, document, "failed", { ...values, replacedBy: null })
  leaveChain(origin, { ...document, replacedBy })
  detachCover(origin, document)
}

/** A file has arrived for a pending document. */
export const arrive = (origin: Origin, document: Document, sizeBytes: number): void => {
  const { documents, sites } = origin.organisation
  const old = documents.get(document.replaces ?? "")
  if (old !== undefined && old.replacedBy !== null) {
    changeDocument(origin, document, "failed", { status: "failed", failureReason: "already_replaced" })
    return
  }
  changeDocument(origin, document, "uploaded", { status: "uploaded", sizeBytes })
  if (old !== undefined) changeDocument(origin, old, "replaced", { replacedBy: document.id })
  const site = sites.get(document.siteId)
  if (document.type === "coverImage" && site !== undefined) {
    changeSite(origin, site, { coverImageUrl: null, coverId: document.id })
  }
}

/** A document and those before it, newest first. */
const upTo = (organisation: Organisation, document: Document): ReadonlyArray<Document> => {
  const before = predecessor(organisation, document)
  return before === undefined ? [document] : [document, ...upTo(organisation, before)]
}

export const chainOf = (organisation: Organisation, document: Document): ReadonlyArray<Document> => {
  // One that has not arrived begins its own list, before the document that it is to replace.
  const old = organisation.documents.get(document.replaces ?? "")
  if (!hasArrived(document)) return [document, ...(old === undefined ? [] : upTo(organisation, old))]
  let newest = document
  for (let next = organisation.documents.get(newest.replacedBy ?? ""); next !== undefined; ) {
    newest = next
    next = organisation.documents.get(newest.replacedBy ?? "")
  }
  return upTo(organisation, newest)
}

const grace = 15 * 60_000
/** Longest time until the sweeper has seen a document. */
const delay = 60_000

const deadlines = (organisation: Organisation) =>
  [...organisation.documents.values()]
    .filter(({ status }) => status === "pending")
    .map((document) => ({ document, deadline: document.addressExpiresAt["@to"] + grace }))

/** True while the sweeper may or may not have seen a document. */
export const isUncertain = (organisation: Organisation, now: number): boolean =>
  deadlines(organisation).some(({ deadline }) => deadline <= now && now < deadline + delay)

export const lapse = (organisation: Organisation, now: number): void => {
  for (const { deadline, document } of deadlines(organisation)) {
    if (now < deadline) continue
    const failureReason = "nothing arrived before the upload address lapsed"
    changeDocument({ organisation, at: between(deadline, now) }, document, "failed", {
      status: "failed",
      failureReason
    })
  }
}
