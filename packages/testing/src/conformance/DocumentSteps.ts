/**
 * Random steps about documents and their files.
 */
import {
  type Document,
  type DocumentId,
  DocumentMaintenance,
  DocumentRepository,
  type DocumentStatus,
  type DocumentStep,
  OmRecordId,
  type OrganisationId,
  storageKey
} from "@solar-sites/core"
import { DateTime, Duration, Effect } from "effect"
import { aDocument, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { purposes } from "./DocumentSetup.ts"
import { documentMethods, siteMethods } from "./Methods.ts"
import {
  aMoment,
  anOwner,
  aReach,
  endOfClaim,
  one,
  type Random,
  someVersions,
  step,
  stepWithin,
  type World
} from "./RandomSteps.ts"
import type { Step } from "./Reference.ts"
import { changedAt, secondsBefore } from "./Setup.ts"

/** An instant of claims and addresses: now, or some seconds later. */
const soon = ({ below, clock }: World): DateTime.Utc => DateTime.add(changedAt, { seconds: clock.now + below(5) })

/** A claim until later, after which some seconds pass. */
const claimed = (world: World) => {
  const [now, until] = [DateTime.add(changedAt, { seconds: world.clock.now }), soon(world)]
  world.clock.now += world.below(3)
  world.claims.push(until)
  return { now, until }
}

/** Each document has its place at one of three sites. */
const placeOf = (world: World, organisationId: OrganisationId, index = world.below(world.documentIds.length)) => {
  const [id, siteId] = [world.documentIds[index], world.siteIds[index % 3]]
  assert.ok(id !== undefined && siteId !== undefined)
  return { id, organisationId, siteId, path: storageKey({ organisationId, siteId, documentId: id }) }
}

export const createDocument: Random = (world) => {
  const { below, of } = world
  const organisationId = anOwner(world)
  const index = below(world.documentIds.length)
  const place = placeOf(world, organisationId, index)
  const document = aDocument({
    ...place,
    // An earlier document of the same site: chains have no circles.
    replaces: of(null, world.documentIds[index - 3] ?? null),
    createdAt: secondsBefore(below(9)),
    filename: `${below(9)}.pdf`,
    type: one(world, purposes),
    documentType: of(null, "ppa", "epc"),
    omRecordId: of(null, OmRecordId.make("om-1")),
    version: 1 + below(2)
  })
  const addressExpiresAt = soon(world)
  const reach = aReach(world, organisationId)
  const run = Effect.flatMap(documentMethods, ({ insertMany }) =>
    insertMany(organisationId, place.siteId, [document], addressExpiresAt)
  )
  return stepWithin("create document", reach, run)
}

/** A caller within portfolios creates documents, of which one replaces another and one is deleted. */
export const documentsWithin = ({ owners: [owner], portfolioIds }: World): ReadonlyArray<Step> => {
  assert.ok(owner !== undefined)
  const organisationId = owner.id
  const site = aSite({ organisationId, portfolioId: portfolioIds[0] ?? null })
  const documentOf = (replaces: DocumentId | null = null) => aDocument({ organisationId, siteId: site.id, replaces })
  const [replaced, deleted] = [documentOf(), documentOf()]
  const reach = { organisationId, portfolioIds }
  const create = (document: Document) =>
    Effect.flatMap(documentMethods, (all) => all.insertMany(organisationId, site.id, [document], changedAt))
  const remove = Effect.flatMap(documentMethods, (all) => all.delete(organisationId, deleted.id, { at: changedAt }))
  return [
    stepWithin(
      "create a site",
      reach,
      Effect.flatMap(siteMethods, ({ insert }) => insert(organisationId, site))
    ),
    stepWithin("create a document", reach, create(replaced)),
    stepWithin("create its replacement", reach, create(documentOf(replaced.id))),
    stepWithin("create another document", reach, create(deleted)),
    stepWithin("delete it", reach, remove)
  ]
}

export const stepDocument: Random = (world) => {
  const organisationId = anOwner(world)
  const id = one(world, world.documentIds)
  const to = world.of<Exclude<DocumentStatus, "pending">>("uploaded", "uploaded", "failed", "approved", "completed")
  const taken: DocumentStep = { to, ...(to === "failed" && world.of({}, { lapsedAt: soon(world) })) }
  const options = { at: aMoment(world), ...someVersions(world) }
  const reach = aReach(world, organisationId)
  const run = Effect.flatMap(documentMethods, (all) => all.step(organisationId, id, taken, options))
  return stepWithin(`step of ${id} to ${to}`, reach, run)
}

export const reopenDocument: Random = (world) => {
  const organisationId = anOwner(world)
  const id = one(world, world.documentIds)
  const claimedUntil = world.of(undefined, endOfClaim(world))
  const options = { at: aMoment(world), addressExpiresAt: soon(world), claimedUntil }
  const reach = aReach(world, organisationId)
  const run = Effect.flatMap(documentMethods, ({ reopen }) => reopen(organisationId, id, options))
  return stepWithin(`reopen ${id}`, reach, run)
}

export const deleteDocument: Random = (world) => {
  const organisationId = anOwner(world)
  const id = one(world, world.documentIds)
  const options = { at: aMoment(world), ...someVersions(world) }
  const reach = aReach(world, organisationId)
  const run = Effect.flatMap(documentMethods, (all) => all.delete(organisationId, id, options))
  return stepWithin(`delete document ${id}`, reach, run)
}

export const claimFile: Random = (world) => {
  const organisationId = anOwner(world)
  const { path } = placeOf(world, organisationId)
  const claim = claimed(world)
  const run = Effect.flatMap(documentMethods, (all) => all.claimFile(organisationId, path, claim))
  return step(`claim file ${path}`, organisationId, run)
}

/** Claims of all due items: the order of those that are due at the same instant is not promised. */
const aClaim = (world: World) => {
  const { now, until } = claimed(world)
  return { now, dueAgainAt: until, limit: 1_000 }
}

export const claimPending: Random = (world) => {
  const organisationId = anOwner(world)
  const claim = aClaim(world)
  const run = DocumentMaintenance.use((maintenance) =>
    Effect.map(maintenance.claimPending(organisationId, claim), (found) =>
      found.toSorted((a, b) => (a.document.id < b.document.id ? -1 : 1))
    )
  )
  return step(`claim pending ${JSON.stringify(claim)}`, organisationId, run)
}

export const claimDeleted: Random = (world) => {
  const organisationId = anOwner(world)
  const claim = aClaim(world)
  const run = DocumentMaintenance.use((maintenance) =>
    Effect.map(maintenance.claimDeleted(organisationId, claim), (keys) => keys.toSorted())
  )
  return step(`claim deleted ${JSON.stringify(claim)}`, organisationId, run)
}

/** Claims the deleted files of all organisations, and asks one of them to forget all. */
export const forgetDeleted: Random = (world) => {
  const organisationId = anOwner(world)
  const claim = aClaim(world)
  const options = {
    now: soon(world),
    claimedUntil: endOfClaim(world),
    uploadsEndAfter: Duration.seconds(world.below(60))
  }
  const run = Effect.gen(function* () {
    const { claimDeleted, forgetDeleted } = yield* DocumentMaintenance
    const keys = yield* Effect.forEach(world.owners, ({ id }) => claimDeleted(id, claim))
    return yield* forgetDeleted(organisationId, keys.flat(), options)
  })
  return step(`forget ${JSON.stringify({ claim, options })}`, organisationId, run)
}

export const listDocuments: Random = (world) => {
  const organisationId = anOwner(world)
  const siteId = one(world, world.siteIds.slice(0, 3))
  const portfolioId = one(world, world.portfolioIds)
  const omRecordId = OmRecordId.make("om-1")
  const narrow = world.of({}, { siteId }, { portfolioId }, { omRecordId }, { omRecordId, siteId })
  const conditions = { ...narrow, ...world.of({}, {}, { current: true }, { status: "pending" as const }) }
  const page = { after: one(world, [null, ...world.documentIds]), limit: 1 + world.below(5) }
  const reach = aReach(world, organisationId)
  const run = DocumentRepository.use(({ list }) => list(reach, conditions, page))
  return stepWithin(`list documents ${JSON.stringify({ conditions, page })}`, reach, run)
}

export const listRevisions: Random = (world) => {
  const organisationId = anOwner(world)
  const id = one(world, world.documentIds)
  const page = { after: world.of(null, null, one(world, world.documentIds)), limit: 1 + world.below(3) }
  const reach = aReach(world, organisationId)
  const run = DocumentRepository.use((documents) => documents.listRevisions(reach, id, page))
  return stepWithin(`list revisions of ${id} ${JSON.stringify(page)}`, reach, run)
}
