/**
 * Random steps about sites, portfolios and coverage.
 */
import {
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
import { aMoment, anOwner, one, type Random, some, someMembers, someVersions, step, type World } from "./RandomSteps.ts"
import { originIn } from "./Setup.ts"

export const moveSites: Random = (world) => {
  const organisationId = anOwner(world)
  const portfolioId = one(world, world.portfolioIds)
  const direction = world.of<SiteMove["direction"]>("into", "into", "outOf")
  const siteIds = direction === "into" ? some(world, world.siteIds) : [one(world, world.siteIds)]
  const move = { portfolioId, siteIds: world.of(siteIds, siteIds, siteIds, some(world, world.siteIds)), direction }
  const options = { at: aMoment(world), ...(direction === "outOf" && someVersions(world)) }
  const run = Effect.gen(function* () {
    const origin = yield* originIn(organisationId)
    const { moveSites } = yield* PortfolioRepository
    const moved = yield* moveSites(organisationId, move, { ...options, origin })
    return moved && { ...moved, missing: moved.missing.toSorted() }
  })
  return step(`move ${JSON.stringify(move)}`, organisationId, run)
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
  const run = Effect.flatMap(siteMethods, ({ update }) => update(organisationId, siteId, changes, options))
  return step(`update site ${siteId} ${JSON.stringify(changes)}`, organisationId, run)
}

export const deleteSite = (world: World) => {
  const organisationId = anOwner(world)
  const siteId = one(world, world.siteIds)
  const options = someVersions(world)
  const run = Effect.flatMap(originIn(organisationId), (origin) =>
    SiteRepository.use((sites) => sites.delete(organisationId, siteId, { ...options, origin }))
  )
  return step(`delete site ${siteId} ${JSON.stringify(options)}`, organisationId, run)
}

/** A save of a site with this external id, or of one without; or one that changes a stored site alone. */
const aSave =
  (world: World, organisationId: OrganisationId, at: DateTime.Utc, ofStored: boolean) =>
  (externalId: (typeof world.externalIds)[number], index: number): SiteSave => {
    const id = world.of(SiteId.make(anId()), world.siteIds[index] ?? SiteId.make(anId()))
    const changes = { ...Object.fromEntries(some(world, Object.entries(someMembers(world)), 3)), externalId }
    if (ofStored) return { site: null, changes }
    const site = aSite({ ...changes, id, organisationId, createdAt: at, updatedAt: at })
    return world.of<SiteSave>(
      { site, changes: null },
      { site: { ...site, externalId: null }, changes: null },
      { site: null, changes },
      { site, changes },
      { site, changes },
      { site: aSite({ ...site, portfolioId: null }), changes: { externalId } }
    )
  }

export const saveSites: Random = (world) => {
  const organisationId = anOwner(world)
  const at = aMoment(world)
  const saves = some(world, world.externalIds, 4).map(aSave(world, organisationId, at, world.below(8) === 0))
  const options = { at, dryRun: world.of(true, false, false) }
  const run = Effect.flatMap(originIn(organisationId), (origin) =>
    Effect.map(
      SiteRepository.use(({ saveMany }) => saveMany(organisationId, saves, { ...options, origin })),
      (found) => (found.organisationFound ? found : null)
    )
  )
  return step(`save ${JSON.stringify(saves)}`, organisationId, run)
}

export const listSites: Random = (world) => {
  const organisationId = anOwner(world)
  const siteId = one(world, world.siteIds)
  const portfolioId = one(world, world.portfolioIds)
  const conditions = world.of({}, { siteId }, { portfolioId }, { siteId, portfolioId })
  const page = { after: one(world, [null, ...world.siteIds]), limit: 1 + world.below(5) }
  const run = SiteRepository.use(({ list }) => list(organisationId, conditions, page))
  return step(`list sites ${JSON.stringify({ conditions, page })}`, organisationId, run)
}

export const findByExternalIds: Random = (world) => {
  const organisationId = anOwner(world)
  const externalIds = some(world, world.externalIds)
  const run = SiteRepository.use(({ idsByExternalId }) => idsByExternalId(organisationId, externalIds))
  return step(`find ${JSON.stringify(externalIds)}`, organisationId, run)
}

export const listPortfolios: Random = (world) => {
  const organisationId = anOwner(world)
  const page = { after: one(world, [null, ...world.portfolioIds]), limit: 1 + world.below(4) }
  const run = PortfolioRepository.use(({ list }) => list(organisationId, {}, page))
  return step(`list portfolios ${JSON.stringify(page)}`, organisationId, run)
}

export const listWithSites: Random = (world) => {
  const organisationId = anOwner(world)
  const position = { portfolioId: one(world, world.portfolioIds), siteId: one(world, [null, ...world.siteIds]) }
  const piece = { after: world.of(null, position, position), limit: 1 + world.below(9) }
  const run = PortfolioRepository.use((portfolios) => portfolios.listWithSites(organisationId, piece))
  return step(`list with sites ${JSON.stringify(piece)}`, organisationId, run)
}

export const coverage: Random = (world) => {
  const organisationId = anOwner(world)
  const portfolioId = one(world, world.portfolioIds)
  const counted = { asOf: today, ...world.of({}, { portfolioId }) }
  const listed = { ...counted, ...world.of({}, { siteId: one(world, world.siteIds) }) }
  const page = { after: one(world, [null, ...world.siteIds]), limit: 1 + world.below(9) }
  const run = Effect.flatMap(RequirementRepository, ({ listCoverage, summariseCoverage }) =>
    Effect.all([listCoverage(organisationId, listed, page), summariseCoverage(organisationId, counted)])
  )
  return step(`coverage ${JSON.stringify(listed)}`, organisationId, run)
}
