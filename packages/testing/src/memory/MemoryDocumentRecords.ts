/**
 * Documents and files to delete of the in-memory database, as records.
 */
import { type DocumentId, DocumentRecord, documentOf, type FileRecord, storageKey } from "@solar-sites/core"
import type { MemoryDocument, MemoryOrganisation } from "./MemoryDatabase.ts"
import type { MemoryKind } from "./MemoryKind.ts"

const pathOf = ({ id, organisationId, siteId }: FileRecord) => storageKey({ organisationId, siteId, documentId: id })

/** A function of an object that answers the same one for the same object. */
const once = <Given extends object, Made>(make: (given: Given) => Made): ((given: Given) => Made) => {
  const made = new WeakMap<Given, { readonly value: Made }>()
  return (given) => {
    const known = made.get(given) ?? { value: make(given) }
    made.set(given, known)
    return known.value
  }
}

const toRecord = once(
  ({
    addressExpiresAt,
    declaredBytes,
    document,
    dueAt,
    refused,
    replacementRequests
  }: MemoryDocument): DocumentRecord =>
    Object.freeze(
      new DocumentRecord(
        {
          ...document,
          declaredBytes,
          addressExpiresAt,
          lookAt: document.status === "pending" ? dueAt : null,
          refused,
          replacementRequests
        },
        { disableChecks: true }
      )
    )
)

/** The documents of an organisation as records; none of an absent one. */
export const documentsIn = (owner: MemoryOrganisation | undefined) => ({
  get: (id: DocumentId): DocumentRecord | undefined => {
    const stored = owner?.documents.get(id)
    return stored && toRecord(stored)
  },
  values: (): ReadonlyArray<DocumentRecord> => [...(owner?.documents.values() ?? [])].map(toRecord)
})

const toStored = (record: DocumentRecord): MemoryDocument => {
  const { addressExpiresAt, declaredBytes, lookAt, refused, replacementRequests } = record
  return {
    document: Object.freeze(documentOf(record)),
    declaredBytes,
    addressExpiresAt,
    dueAt: lookAt ?? addressExpiresAt,
    refused,
    replacementRequests
  }
}

export const documentRecordsOf = (owner: MemoryOrganisation): MemoryKind => ({
  get: (id) => documentsIn(owner).get(id as DocumentId),
  values: documentsIn(owner).values,
  put: (record) => {
    const stored = toStored(record as DocumentRecord)
    owner.documents.set(stored.document.id, stored)
    return toRecord(stored)
  },
  remove: (id) => void owner.documents.delete(id as DocumentId)
})

const fileOf = ({ deletedFiles }: MemoryOrganisation, id: string): FileRecord | undefined =>
  [...deletedFiles.values()].find((file) => file.id === id)

export const fileRecordsOf = (owner: MemoryOrganisation): MemoryKind => ({
  get: (id) => fileOf(owner, id),
  values: () => [...owner.deletedFiles.values()],
  put: (record) => {
    const file = Object.freeze(record as FileRecord)
    owner.deletedFiles.set(pathOf(file), file)
    return file
  },
  remove: (id) => {
    const file = fileOf(owner, id)
    if (file !== undefined) owner.deletedFiles.delete(pathOf(file))
  }
})
