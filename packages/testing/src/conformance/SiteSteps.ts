/**
 * Random steps about sites, portfolios and coverage.
 */
import {
  type EventConditions,
  EventRepository,
  type OrganisationId,
  PortfolioRepository,
  RequirementRepository,
  SiteId,
  type SiteMove,
  SiteRepository,
  type SiteSave
} from "@solar-sites/core"
import { type DateTime, Effect } from "effect"
import { anId, aSite } from "../fixtures.ts"
import { today } from "./CoverageSetup.ts"
import { siteMethods } from "./Methods.ts"
import {
  aMoment,
  anOwner,
  aReach,
  one,
  type Random,
  some,
  someMembers,
  someVersions,
  step,
  stepWithin,
  type World
} from "./RandomSteps.ts"
import { originIn } from "./Setup.ts"

export const moveSites: Random = (world) => {
  const organisationId = anOwner(world)
  const portfolioId = one(world, world.portfolioIds)
  const direction = world.of<SiteMove["direction"]>("into", "into", "outOf")
  const siteIds = direction === "into" ? some(world, world.siteIds) : [one(world, world.siteIds)]
  const move = { portfolioId, siteIds: world.of(siteIds, siteIds, siteIds, some(world, world.siteIds)), direction }
  const options = { at: aMoment(world), ...(direction === "outOf" && someVersions(world)) }
  // A check before the rules refuses moves out of a portfolio by a caller within portfolios.
  const reach = direction === "outOf" ? organisationId : aReach(world, organisationId)
  const run = Effect.gen(function* () {
    const origin = yield* originIn(organisationId)
    const { moveSites } = yield* PortfolioRepository
    const moved = yield* moveSites(reach, move, { ...options, origin })
    return moved && { ...moved, missing: moved.missing.toSorted() }
  })
  return stepWithin(`move ${JSON.stringify(move)}`, reach, run)
}

export const deletePortfolio: Random = (world) => {
  const organisationId = anOwner(world)
  const portfolioId = one(world, world.portfolioIds)
  const options = { at: aMoment(world), ...someVersions(world) }
  const run = Effect.flatMap(originIn(organisationId), (origin) =>
    PortfolioRepository.use((portfolios) => portfolios.delete(organisationId, portfolioId, { ...options, origin }))
  )
  return step(`delete portfolio ${portfolioId} ${JSON.stringify(options)}`, organisationId, run)
}

export const updateSite = (world: World) => {
  const organisationId = anOwner(world)
  const siteId = one(world, world.siteIds)
  const changes = Object.fromEntries(some(world, Object.entries(someMembers(world)), 3))
  const options = { at: aMoment(world), ...someVersions(world) }
  // As for moves.
  const reach = changes["portfolioId"] === null ? organisationId : aReach(world, organisationId)
  const run = Effect.flatMap(siteMethods, ({ update }) => update(organisationId, siteId, changes, options))
  return stepWithin(`update site ${siteId} ${JSON.stringify(changes)}`, reach, run)
}

export const deleteSite = (world: World) => {
  const organisationId = anOwner(world)
  const siteId = one(world, world.siteIds)
  const options = someVersions(world)
  const reach = aReach(world, organisationId)
  const run = Effect.flatMap(originIn(organisationId), (origin) =>
    SiteRepository.use((sites) => sites.delete(reach, siteId, { ...options, origin }))
  )
  return stepWithin(`delete site ${siteId} ${JSON.stringify(options)}`, reach, run)
}

/** A save of a site with this external id, or of one without; or one that changes a stored site alone. */
const aSave =
  (world: World, organisationId: OrganisationId, at: DateTime.Utc, ofStored: boolean) =>
  (externalId: (typeof world.externalIds)[number], index: number): SiteSave => {
    const id = world.of(SiteId.make(anId()), world.siteIds[index] ?? SiteId.make(anId()))
    const changes = { ...Object.fromEntries(some(world, Object.entries(someMembers(world)), 3)), externalId }
    if (ofStored) return { site: null, changes }
    const site = aSite({ ...changes, id, organisationId, createdAt: at, updatedAt: at })
    // A call makes the ids of the sites that it may store: no other one creates a site with the id of an upsert.
    const upserted = { ...site, id: SiteId.make(anId()) }
    return world.of<SiteSave>(
      { site, changes: null },
      { site: { ...site, externalId: null }, changes: null },
      { site: null, changes },
      { site: upserted, changes },
      { site: upserted, changes },
      { site: aSite({ ...upserted, portfolioId: null }), changes: { externalId } }
    )
  }

export const saveSites: Random = (world) => {
  const organisationId = anOwner(world)
  const at = aMoment(world)
  const saves = some(world, world.externalIds, 4).map(aSave(world, organisationId, at, world.below(8) === 0))
  const options = { at, dryRun: world.of(true, false, false) }
  const reach = aReach(world, organisationId)
  const run = Effect.flatMap(originIn(organisationId), (origin) =>
    Effect.map(
      SiteRepository.use(({ saveMany }) => saveMany(reach, saves, { ...options, origin })),
      (found) => (found.organisationFound ? found : null)
    )
  )
  return stepWithin(`save ${JSON.stringify(saves)}`, reach, run)
}

export const listSites: Random = (world) => {
  const organisationId = anOwner(world)
  const siteId = one(world, world.siteIds)
  const portfolioId = one(world, world.portfolioIds)
  const conditions = world.of({}, { siteId }, { portfolioId }, { siteId, portfolioId })
  const page = { after: one(world, [null, ...world.siteIds]), limit: 1 + world.below(5) }
  const reach = aReach(world, organisationId)
  const run = SiteRepository.use(({ list }) => list(reach, conditions, page))
  return stepWithin(`list sites ${JSON.stringify({ conditions, page })}`, reach, run)
}

export const findByExternalIds: Random = (world) => {
  const organisationId = anOwner(world)
  const externalIds = some(world, world.externalIds)
  const reach = aReach(world, organisationId)
  const run = SiteRepository.use(({ idsByExternalId }) => idsByExternalId(reach, externalIds))
  return stepWithin(`find ${JSON.stringify(externalIds)}`, reach, run)
}

export const listPortfolios: Random = (world) => {
  const organisationId = anOwner(world)
  const page = { after: one(world, [null, ...world.portfolioIds]), limit: 1 + world.below(4) }
  const reach = aReach(world, organisationId)
  const run = PortfolioRepository.use(({ list }) => list(reach, {}, page))
  return stepWithin(`list portfolios ${JSON.stringify(page)}`, reach, run)
}

export const listWithSites: Random = (world) => {
  const organisationId = anOwner(world)
  const position = { portfolioId: one(world, world.portfolioIds), siteId: one(world, [null, ...world.siteIds]) }
  const piece = { after: world.of(null, position, position), limit: 1 + world.below(9) }
  const reach = aReach(world, organisationId)
  const run = PortfolioRepository.use((portfolios) => portfolios.listWithSites(reach, piece))
  return stepWithin(`list with sites ${JSON.stringify(piece)}`, reach, run)
}

export const coverage: Random = (world) => {
  const organisationId = anOwner(world)
  const portfolioId = one(world, world.portfolioIds)
  const counted = { asOf: today, ...world.of({}, { portfolioId }) }
  const listed = { ...counted, ...world.of({}, { siteId: one(world, world.siteIds) }) }
  const page = { after: one(world, [null, ...world.siteIds]), limit: 1 + world.below(9) }
  const reach = aReach(world, organisationId)
  const run = Effect.flatMap(RequirementRepository, ({ listCoverage, summariseCoverage }) =>
    Effect.all([listCoverage(reach, listed, page), summariseCoverage(reach, counted)])
  )
  return stepWithin(`coverage ${JSON.stringify(listed)}`, reach, run)
}

/** Events without what an adapter chooses. */
export const listEvents: Random = (world) => {
  const organisationId = anOwner(world)
  const id = one(world, [...world.siteIds, ...world.portfolioIds])
  const conditions = world.of<EventConditions>({}, {}, { siteId: id }, { subjectId: id }, { type: ["site.*"] })
  const page = { after: null, limit: 1 + world.below(30), order: world.of<"asc" | "desc">("asc", "desc") }
  const reach = aReach(world, organisationId)
  const run = EventRepository.use(({ list }) =>
    Effect.map(list(reach, conditions, page), ({ hasMore, items }) => ({
      items: items.map(({ id: _, occurredAt: __, sequence: ___, ...event }) => event),
      hasMore
    }))
  )
  return stepWithin(`list events ${JSON.stringify({ conditions, page })}`, reach, run)
}
