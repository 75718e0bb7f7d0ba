/**
 * What the in-memory adapters keep, and all that they share. Everything lies
 * under its organisation, so that no method can reach into another one. Their
 * methods yield only to refuse: what runs without a yield is one atomic step.
 */
import {
  type ApiKey,
  type ApiKeyId,
  type ApiKeySecret,
  type Document,
  type DocumentId,
  type Organisation,
  type OrganisationId,
  type Page,
  type PageRequest,
  type Portfolio,
  type PortfolioId,
  RepositoryError,
  type Site,
  type SiteId,
  type StorageKey
} from "@solar-sites/core"
import { Context, type DateTime, Layer } from "effect"

/**
 * A document and what only the repository knows of it: the length that reopening
 * brings back, when its last address lapses, when it is due for a look, and
 * whether its file was refused.
 */
export interface MemoryDocument {
  readonly document: Document
  readonly declaredBytes: number | null
  readonly addressExpiresAt: DateTime.Utc
  readonly dueAt: DateTime.Utc
  readonly refused: boolean
}

/** A file that is listed for deletion; due at once when `dueAt` is null. */
interface MemoryDeletedFile {
  readonly addressExpiresAt: DateTime.Utc
  readonly dueAt: DateTime.Utc | null
  readonly claimedUntil: DateTime.Utc | null
}

/** `issuedUntil` is the end that the key was made with; rotations bring its `expiresAt` forward. */
interface MemoryApiKey {
  readonly apiKey: ApiKey
  readonly digest: ApiKeySecret.ApiKeyDigest
  readonly issuedUntil: DateTime.Utc
}

/**
 * One organisation and what it owns. The records are frozen: a change puts a new
 * one in the place of the old. `siteCount` and `capacityKw` of a portfolio are
 * reckoned when it is read.
 */
export interface MemoryOrganisation {
  /** Null when it was deleted: files that are listed for deletion stay. */
  organisation: Organisation | null
  readonly sites: Map<SiteId, Site>
  readonly portfolios: Map<PortfolioId, Portfolio>
  readonly apiKeys: Map<ApiKeyId, MemoryApiKey>
  readonly documents: Map<DocumentId, MemoryDocument>
  readonly deletedFiles: Map<StorageKey, MemoryDeletedFile>
}

export type Owned = Omit<MemoryOrganisation, "organisation">

/**
 * Every organisation by its id.
 *
 * @category services
 * @since 0.1.0
 */
export class MemoryDatabase extends Context.Service<MemoryDatabase, Map<OrganisationId, MemoryOrganisation>>()(
  "@solar-sites/testing/MemoryDatabase"
) {
  /** Starts empty each time it is built. */
  static readonly layer: Layer.Layer<MemoryDatabase> = Layer.sync(MemoryDatabase, () => new Map())
}

const nothing = (): Owned => ({
  sites: new Map(),
  portfolios: new Map(),
  apiKeys: new Map(),
  documents: new Map(),
  deletedFiles: new Map()
})

/** An organisation without anything in it. */
export const emptyOrganisation = (organisation: Organisation): MemoryOrganisation => ({ organisation, ...nothing() })

/** The organisation with what it owns; undefined when there is no such organisation. */
export const ownerOf = (
  database: MemoryDatabase["Service"],
  organisationId: OrganisationId
): (MemoryOrganisation & { readonly organisation: Organisation }) | undefined => {
  const owner = database.get(organisationId)
  // The condition has said what the type cannot.
  return owner?.organisation ? (owner as MemoryOrganisation & { organisation: Organisation }) : undefined
}

/** What an organisation owns; nothing, when there is no such organisation. */
export const ownedBy = (database: MemoryDatabase["Service"], organisationId: OrganisationId): Owned =>
  database.get(organisationId) ?? nothing()

/** Lists a file for deletion, due at once. A claim of it holds on. */
export const listFile = ({ deletedFiles }: Owned, { addressExpiresAt, document }: MemoryDocument): void => {
  const claimedUntil = deletedFiles.get(document.path)?.claimedUntil ?? null
  deletedFiles.set(document.path, { addressExpiresAt, dueAt: null, claimedUntil })
}

/** Removes a document and lists its file for deletion. */
export const deleteDocument = (owned: Owned, stored: MemoryDocument): void => {
  owned.documents.delete(stored.document.id)
  listFile(owned, stored)
}

/** Removes a site with its documents, whose files are listed for deletion. */
export const deleteSite = (owned: Owned, siteId: SiteId): void => {
  for (const stored of [...owned.documents.values()]) {
    if (stored.document.siteId === siteId) deleteDocument(owned, stored)
  }
  owned.sites.delete(siteId)
}

/** What a database says of a key that is taken. Ids and digests are made to be unique, so this is a bug. */
export const duplicate = (operation: string): RepositoryError =>
  new RepositoryError({ operation, retryable: false, cause: new Error("The id or digest is taken already") })

/** Ascending by id. */
export const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0

/** The first `limit` of the items, which are in order and begin after what was seen. */
export const firstOf = <Item>(items: ReadonlyArray<Item>, limit: number): Page<Item> => ({
  items: items.slice(0, limit),
  hasMore: items.length > limit
})

/** The page of these items, in ascending order of id. */
export const pageOf = <Item extends { readonly id: string }>(
  items: Iterable<Item>,
  { after, limit }: PageRequest<string>
): Page<Item> => firstOf([...items].filter(({ id }) => after === null || id > after).sort(byId), limit)
