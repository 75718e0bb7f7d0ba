/**
 * How the in-memory repositories are broken on purpose where documents are
 * concerned.
 */
import { type Document, DocumentMaintenance, DocumentRepository, type Site, SiteRepository } from "@solar-sites/core"
import { MemoryAdapters, MemoryDatabase, MemoryDocumentRepository } from "@solar-sites/testing"
import { Context, Layer } from "effect"
import { replacing } from "./DocumentBreaking.ts"

export const memory = MemoryDocumentRepository.layer.pipe(
  Layer.merge(MemoryAdapters.layer),
  Layer.provideMerge(MemoryDatabase.layer)
)

type Ports = Layer.Success<typeof memory>
export type Database = MemoryDatabase["Service"]
type Owner = Parameters<Database["get"]>[0]

const breaking = replacing<Ports>()

const on =
  <Id extends Ports, Service extends object>(port: Context.Key<Id, Service>) =>
  (replace: (intact: Service, database: Database) => Partial<Service>) =>
    breaking(port, (intact, context) => replace(intact, Context.get(context, MemoryDatabase)))

export const inRepository = on(DocumentRepository)
export const inMaintenance = on(DocumentMaintenance)
export const inSites = on(SiteRepository)

/** The organisation that a document is really in: what an adapter without isolation works on. */
export const whereverIs = (database: Database, owner: Owner, id: string): Owner =>
  [...database].find(([, { documents }]) => [...documents.keys()].some((key) => key === id))?.[0] ?? owner

/** Stores the document with other members, behind the back of every rule. */
export const amend = (database: Database, document: Document, change: (document: Document) => Partial<Document>) => {
  const documents = database.get(document.organisationId)?.documents
  const stored = documents?.get(document.id)
  if (documents === undefined || stored === undefined) return document
  const amended: Document = Object.assign(Object.create(Object.getPrototypeOf(document)), {
    ...document,
    ...change(document)
  })
  documents.set(document.id, { ...stored, document: amended })
  return amended
}

/** Stores the site with other members, behind the back of every rule. */
export const amendSite = (
  database: Database,
  { organisationId, siteId }: Pick<Document, "organisationId" | "siteId">,
  change: (site: Site) => Partial<Site>
) => {
  const sites = database.get(organisationId)?.sites
  const site = sites?.get(siteId)
  if (site === undefined) return
  sites?.set(siteId, Object.assign(Object.create(Object.getPrototypeOf(site)), { ...site, ...change(site) }))
}
