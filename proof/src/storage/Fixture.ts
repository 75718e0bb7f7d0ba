/**
 * One organisation with two sites and three documents, and services with their port calls behind gates.
 */
import {
  AccessChanges,
  ApiKeyStore,
  Caller,
  DocumentId,
  DocumentMaintenance,
  DocumentRepository,
  DocumentStorage,
  DocumentSweeper,
  Documents,
  documentRecords,
  EventRepository,
  IdempotencyStore,
  type OrganisationId,
  OrganisationRemoval,
  OrganisationRepository,
  Organisations,
  PortfolioRepository,
  Records,
  type Site,
  SiteRepository,
  type StorageKey,
  seededIds,
  siteRecords,
  storageKey,
  UserId
} from "@solar-sites/core"
import { anOrganisation, aSite } from "@solar-sites/testing"
import { Context, DateTime, Effect, Layer } from "effect"
import type { Gates } from "./Gates.ts"
import type { Ports, Target } from "./Targets.ts"

export type Services = Documents | DocumentSweeper | Organisations | SiteRepository

/** A document of the fixture: stored, deleted or not yet issued. */
export interface Place {
  readonly id: DocumentId
  readonly key: StorageKey
  readonly site: Site
  /** Its requests always have this seed, so that they are repetitions of each other. */
  readonly seed: string
  readonly replaces: DocumentId | null
  /** Address of the file, for all of the sequence. */
  readonly url: string
}

export type Fixture = Effect.Success<ReturnType<typeof makeFixture>>

/** What a test of the proof breaks. */
export interface Breakage {
  readonly ports?: (ports: Context.Context<Ports>) => Context.Context<Ports>
  readonly services?: (services: Context.Context<Services>, gated: Context.Context<Ports>) => Context.Context<Services>
}

const behindGates = (
  ports: Context.Context<Ports>,
  { port }: Gates,
  organisationId: OrganisationId
): Context.Context<Ports> => {
  const gated = <I, S extends object>(key: Context.Key<I, S> & Context.Key<Ports, S>) =>
    Context.add(key, port(Context.get(ports, key)))
  const maintenance = port(Context.get(ports, DocumentMaintenance))
  return ports.pipe(
    gated(OrganisationRepository),
    gated(Records),
    gated(SiteRepository),
    gated(PortfolioRepository),
    gated(DocumentRepository),
    gated(ApiKeyStore),
    gated(EventRepository),
    gated(IdempotencyStore),
    Context.add(DocumentStorage, port(Context.get(ports, DocumentStorage), true)),
    Context.add(DocumentMaintenance, {
      ...Context.get(ports, DocumentMaintenance),
      claimPending: maintenance.claimPending,
      claimDeleted: maintenance.claimDeleted,
      forgetDeleted: maintenance.forgetDeleted,
      // Other sequences may have left work in the same database.
      findDue: (options) => Effect.map(maintenance.findDue(options), (due) => due.filter((id) => id === organisationId))
    })
  )
}

const services = Layer.mergeAll(
  Documents.layer,
  DocumentSweeper.layer,
  Organisations.layer.pipe(Layer.provide(OrganisationRemoval.layer), Layer.provide(AccessChanges.layerInProcess))
)

const seedOf = (index: number): string => `0193e6f4-1c2d-7a3b-8c4d-5e6f70819${String(index).padStart(3, "0")}`

export const makeFixture = Effect.fnUntraced(function* (target: Target, gates: Gates, breakage: Breakage = {}) {
  const { ports: broken = (ports) => ports, services: brokenServices = (all) => all } = breakage
  const organisation = anOrganisation()
  const organisationId = organisation.id
  const [intact] = target.instances
  const [first, second] = [aSite({ organisationId }), aSite({ organisationId })]
  yield* Context.get(intact, OrganisationRepository).insert(organisation)
  const { insert } = yield* Effect.provide(siteRecords, intact)
  for (const site of [first, second]) yield* insert(organisationId, site)

  const storage = Context.get(broken(intact), DocumentStorage)
  const place = Effect.fnUntraced(function* (index: number, site: Site, replaces: DocumentId | null = null) {
    const id = DocumentId.make(yield* seededIds(seedOf(index)))
    const key = storageKey({ organisationId, siteId: site.id, documentId: id })
    const url = yield* storage.signDownload(organisationId, { key, mimeType: null, filename: null }, aLongTime(gates))
    return { id, key, site, seed: seedOf(index), replaces, url }
  })
  const gatedPorts = (ports: Context.Context<Ports>) => behindGates(broken(ports), gates, organisationId)
  const start = Effect.fnUntraced(function* (ports: Context.Context<Ports>) {
    const gated = gatedPorts(ports)
    const built = yield* Layer.build(Layer.fresh(Layer.provide(services, Layer.succeedContext(gated))))
    const all: Context.Context<Services> = Context.add(built, SiteRepository, Context.get(gated, SiteRepository))
    return brokenServices(all, gated)
  })
  const original = yield* place(0, first)
  const { client, instances, knowsUploads } = target
  return {
    ...{ organisationId, storage, client, knowsUploads },
    caller: new Caller({ organisationId, userId: UserId.make("person-1"), apiKeyId: null }),
    places: [original, yield* place(1, first, original.id), yield* place(2, second)],
    /** Commands without gates. */
    commands: yield* Effect.provide(documentRecords, intact),
    services: [yield* start(instances[0]), yield* start(instances[1])] as const,
    siteCommands: [
      yield* Effect.provide(siteRecords, gatedPorts(instances[0])),
      yield* Effect.provide(siteRecords, gatedPorts(instances[1]))
    ] as const
  }
})

/** Long enough for every sequence, and not longer than S3 signs. */
export const aLongTime = (gates: Gates) => ({
  from: DateTime.makeUnsafe(gates.now()),
  until: DateTime.makeUnsafe(gates.now() + 86_400_000)
})
