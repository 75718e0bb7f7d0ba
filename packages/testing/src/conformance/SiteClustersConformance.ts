/**
 * Sites on a map.
 */
import {
  CapacityUnit,
  type ClusterConditions,
  clustersOfSites,
  ExternalId,
  fewSites,
  type MapSection,
  maximumNamedSites,
  type Reach,
  type Site,
  SiteId,
  SiteRepository,
  sitesWithin
} from "@solar-sites/core"
import { Effect } from "effect"
import { anId, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { makeChoices } from "./CoverageSetup.ts"
import { type AllConditions, aName, aSearch } from "./FindingModel.ts"
import {
  changedAt,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  originIn,
  type RecordPorts,
  secondsBefore
} from "./Setup.ts"

/** Positions at the borders of cells and of the world, some equal, and some without one of both. */
const positions = [
  { longitude: 11.25, latitude: 45 },
  { longitude: 11.25, latitude: 45 },
  { longitude: 11.26, latitude: 45.01 },
  { longitude: 11.249_999_999_999_998, latitude: 44.999_999_999_999_99 },
  { longitude: -180, latitude: -90 },
  { longitude: 180, latitude: 90 },
  { longitude: -0, latitude: 0 },
  { longitude: 0, latitude: -0 },
  { longitude: -0.127_758_000_000_000_04, latitude: 51.507_351_234_567_89 },
  { longitude: null, latitude: null },
  { longitude: 11.25, latitude: null },
  { longitude: null, latitude: 45 }
] as const

const sections: readonly [MapSection, ...Array<MapSection>] = [
  { west: -180, south: -90, east: 180, north: 90 },
  { west: 11.25, south: 45, east: 11.25, north: 45 },
  { west: 11, south: 44.9, east: 11.3, north: 45.2 },
  { west: -1, south: -1, east: 52, north: 52 },
  { west: 100, south: 10, east: 101, north: 11 }
]

const randomSites = Effect.fnUntraced(function* (seed: number) {
  const { clusters } = yield* SiteRepository
  const choices = makeChoices(seed)
  const { below, of } = choices
  const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
  const portfolios = [(yield* insertPortfolio(organisationId)).id, (yield* insertPortfolio(organisationId)).id] as const
  const sites: Array<Site> = []
  for (const position of [...positions, ...positions]) {
    const id = SiteId.make(anId())
    // The same site of another organisation has other words.
    yield* insertSite(other, { ...position, id, siteName: `${aName(choices)} Sud strass lodz` })
    sites.push(
      yield* insertSite(organisationId, {
        id,
        ...position,
        siteName: aName(choices),
        externalId: of(null, ExternalId.make(`${aName(choices)} ${sites.length}`)),
        tags: of([], ["roof"], ["leased", "roof"]),
        unit: of(...CapacityUnit.literals),
        updatedAt: secondsBefore(below(4)),
        portfolioId: of(null, ...portfolios)
      })
    )
  }
  for (let round = 0; round < 36; round++) {
    const one = of(aSite(), ...sites)
    const all: AllConditions<Omit<ClusterConditions, "portfolioId" | "health">> = {
      within: of(...sections),
      q: aSearch(choices),
      unit: of(...CapacityUnit.literals),
      updatedAfter: secondsBefore(below(4)),
      siteId: one.id,
      externalId: one.externalId ?? ExternalId.make("none"),
      tag: of(["roof"], ["roof", "leased"])
    }
    // Sections of every site first, then each condition alone, and then several.
    const sectionsOfAll = { within: sections[round] ?? sections[0] }
    const names = Object.keys(all)
    const chosen = Object.entries(all).filter(([name]) =>
      round < sections.length + names.length ? name === names[round - sections.length] : below(4) === 0
    )
    const some: ClusterConditions = round < sections.length ? sectionsOfAll : Object.fromEntries(chosen)
    const conditions = below(3) > 0 ? some : { ...some, portfolioId: of(null, ...portfolios) }
    const reach = of<Reach>(
      organisationId,
      organisationId,
      { organisationId, portfolioIds: [] },
      { organisationId, portfolioIds: [portfolios[0]] },
      { organisationId, portfolioIds: [...portfolios] }
    )
    assert.deepEqual(
      yield* clusters(reach, conditions),
      clustersOfSites(sitesWithin(reach, sites), conditions),
      JSON.stringify({ reach, conditions })
    )
  }
})

const manySites = Effect.fnUntraced(function* (count: number) {
  const { clusters, saveMany } = yield* SiteRepository
  const organisationId = yield* insertOrganisation()
  const sites = Array.from({ length: count }, (_, n) =>
    aSite({ organisationId, longitude: (n * 1.7) % 40, latitude: (n * 0.9) % 25, createdAt: changedAt })
  )
  const saves = sites.map((site) => ({ site, changes: null }))
  yield* saveMany(organisationId, saves, { at: changedAt, dryRun: false, origin: yield* originIn(organisationId) })
  for (const conditions of [{}, { within: { west: 0, south: 0, east: 40, north: 25 } }]) {
    const found = yield* clusters(organisationId, conditions)
    assert.deepEqual(found, clustersOfSites(sites, conditions), `${count} sites, ${JSON.stringify(conditions)}`)
  }
})

export const siteClusterCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  ...[1, 2].map((seed) => ({
    name: `counts sites on a map as core does (random conditions ${seed})`,
    check: randomSites(seed)
  })),
  {
    name: "counts few sites by small cells, and many by large ones",
    check: Effect.andThen(manySites(fewSites), manySites(fewSites + 1))
  },
  {
    name: "names the first sites of a position, by id",
    check: Effect.gen(function* () {
      const { clusters, saveMany } = yield* SiteRepository
      const organisationId = yield* insertOrganisation()
      const position = { longitude: 11.5, latitude: 48.1 }
      const at = changedAt
      const sites = Array.from({ length: maximumNamedSites + 1 }, () =>
        aSite({ organisationId, ...position, createdAt: at, updatedAt: at })
      )
      const origin = yield* originIn(organisationId)
      const saves = sites.map((site) => ({ site, changes: null }))
      yield* saveMany(organisationId, saves, { at, dryRun: false, origin })
      const found = yield* clusters(organisationId, {})
      assert.deepEqual(found, clustersOfSites(sites, {}), "clusters of all sites")
      assert.deepEqual(
        found.clusters.map(({ count, sites }) => [count, sites.length]),
        [[maximumNamedSites + 1, maximumNamedSites]],
        "counted and named sites"
      )
    })
  }
]
