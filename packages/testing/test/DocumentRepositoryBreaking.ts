/**
 * How the in-memory repositories are broken on purpose where documents are
 * concerned.
 */
import { DocumentMaintenance, DocumentRepository, Records, SiteRepository } from "@solar-sites/core"
import { MemoryAdapters, MemoryDatabase, MemoryDocumentRepository } from "@solar-sites/testing"
import { Context, Layer } from "effect"
import { replacing } from "./DocumentBreaking.ts"
import { type Database, viewOf } from "./memoryView.ts"

export const memory = MemoryDocumentRepository.layer.pipe(
  Layer.merge(MemoryAdapters.layer),
  Layer.provideMerge(MemoryDatabase.layer)
)

type Ports = Layer.Success<typeof memory>

export type { Database } from "./memoryView.ts"

const breaking = replacing<Ports>()

const on =
  <Id extends Ports, Service extends object>(port: Context.Key<Id, Service>) =>
  (replace: (intact: Service, database: Database) => Partial<Service>) =>
    breaking(port, (intact, context) => replace(intact, viewOf(Context.get(context, MemoryDatabase))))

export const inRepository = on(DocumentRepository)
export const inMaintenance = on(DocumentMaintenance)
export const inSites = on(SiteRepository)
export const inRecords = on(Records)
