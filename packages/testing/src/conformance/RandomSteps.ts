/**
 * Random steps in two organisations that have records of the same ids with different values.
 */
import {
  CapacityUnit,
  DocumentId,
  ExternalId,
  type OrganisationId,
  OrganisationRepository,
  PortfolioId,
  requirementListRecords,
  SiteId
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anId, anOrganisation, anOrganisationId, aPortfolio, aRequirement, aSite } from "../fixtures.ts"
import { makeChoices } from "./CoverageSetup.ts"
import { asCallerOf } from "./EventSetup.ts"
import { aName } from "./FindingModel.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import type { Step } from "./Reference.ts"
import { changedAt, hostileTexts, secondsBefore, tooGreat } from "./Setup.ts"

const idsOf = <Id>(make: (id: string) => Id, count: number) => Array.from({ length: count }, () => make(anId()))

/** Organisations, ids, and choices that are the same in every run. */
export const makeWorld = (seed: number, { documents = 8, owners = 2, portfolios = 3, sites = 6 } = {}) => ({
  ...makeChoices(seed),
  owners: Array.from({ length: owners }, () => anOrganisation()),
  stranger: anOrganisationId(),
  portfolioIds: idsOf((id) => PortfolioId.make(id), portfolios),
  siteIds: idsOf((id) => SiteId.make(id), sites),
  documentIds: idsOf((id) => DocumentId.make(id), documents),
  externalIds: ["A-1", "a-1", " A-1", "null", "{}", "é😀"].slice(0, sites).map((text) => ExternalId.make(text)),
  /** Seconds that have passed. */
  clock: { now: 0 },
  /** Ends of the claims so far. */
  claims: [changedAt]
})

export type World = ReturnType<typeof makeWorld>

/** Makes a step. All that is random in it is chosen before it runs, since it runs twice. */
export type Random = (world: World) => Step

/** One of the values. */
export const one = <A>({ below }: World, values: ReadonlyArray<A>): A => {
  const value = values[below(values.length)]
  if (value === undefined) throw new RangeError("no value to choose from")
  return value
}

/** Some of the values, each once, in any order. */
export const some = <A>({ below }: World, values: ReadonlyArray<A>, most = values.length): ReadonlyArray<A> => {
  const rest = [...values]
  return Array.from({ length: below(most + 1) }, () => rest.splice(below(rest.length), 1)).flat()
}

/** One of the organisations; where there are several, seldom one that is missing. */
export const anOwner = ({ below, owners, stranger }: World): OrganisationId =>
  owners.length > 1 && below(15) === 0 ? stranger : (owners[below(owners.length)]?.id ?? stranger)

/** An instant of a change. */
export const aMoment = ({ below }: World): DateTime.Utc => DateTime.add(changedAt, { seconds: below(1_000) })

/** Versions that may be those of a record, or none. One organisation alone expects none, so that its steps meet. */
export const someVersions = (world: World): { readonly expectedVersions?: ReadonlyArray<number> } =>
  world.owners.length === 1
    ? {}
    : world.of({}, { expectedVersions: one(world, [[], [], [1], [4, 3, 2, 1], tooGreat, [...tooGreat, 1, 2]]) })

/** A step of a caller of the organisation. */
export const step = (name: string, organisationId: OrganisationId, run: Step["run"]): Step => ({
  name,
  run: asCallerOf(organisationId)(run).ran
})

/** Members of a site, as random as they can be stored. */
export const someMembers = (world: World) => {
  const { of } = world
  return {
    siteName: one(world, [aName(world), aName(world), ...hostileTexts]),
    portfolioId: one(world, [null, ...world.portfolioIds]),
    address: of(null, "1 Sun Lane"),
    capacity: of(0.1, 0.2, 0.07, 250, 1e9, 123_456.789_012_345),
    unit: of(...CapacityUnit.literals),
    tags: of([], ["a"], ["b", "a"]),
    attributes: of({}, { a: 1, b: "x" }, { b: "x", a: 1 })
  }
}

const portfolioOf = (world: World, organisationId: OrganisationId, id: PortfolioId): Step => {
  const portfolio = aPortfolio({
    id,
    organisationId,
    name: one(world, [aName(world), ...hostileTexts]),
    createdAt: secondsBefore(world.below(9)),
    version: 1 + world.below(3)
  })
  const run = Effect.flatMap(portfolioMethods, ({ insertMany }) => insertMany(organisationId, [portfolio]))
  return step("create portfolio", organisationId, run)
}

const siteOf = (world: World, organisationId: OrganisationId, id: SiteId): Step => {
  const site = aSite({
    ...someMembers(world),
    id,
    organisationId,
    externalId: one(world, [null, ...world.externalIds]),
    createdAt: secondsBefore(world.below(9)),
    version: 1 + world.below(3)
  })
  const run = Effect.flatMap(siteMethods, ({ insert }) => insert(organisationId, site))
  return step("create site", organisationId, run)
}

export const createPortfolio: Random = (world) => portfolioOf(world, anOwner(world), one(world, world.portfolioIds))
export const createSite: Random = (world) => siteOf(world, anOwner(world), one(world, world.siteIds))

export const requireDocuments: Random = (world) => {
  const organisationId = anOwner(world)
  const list = some(world, [null, ...world.portfolioIds]).map((portfolioId) =>
    aRequirement({ portfolioId, documentType: world.of("ppa", "epc") })
  )
  const at = aMoment(world)
  const run = Effect.flatMap(requirementListRecords, ({ replace }) => replace(organisationId, list, { at }))
  return step("require documents", organisationId, run)
}

/** The steps that all others follow: organisations with their portfolios, and with all sites but one. */
export const begin = (world: World): ReadonlyArray<Step> =>
  world.owners.flatMap((organisation) => [
    step(
      "create organisation",
      organisation.id,
      OrganisationRepository.use(({ insert }) => insert(organisation))
    ),
    ...world.portfolioIds.map((id) => portfolioOf(world, organisation.id, id)),
    ...world.siteIds.slice(1).map((id) => siteOf(world, organisation.id, id))
  ])
