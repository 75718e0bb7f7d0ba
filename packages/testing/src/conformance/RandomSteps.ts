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
  type Reach,
  Records,
  recordsIn,
  requirementListRecords,
  SiteId,
  type WebhookDeliveryId,
  WebhookId
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anId, anOrganisation, anOrganisationId, aPortfolio, aRequirement, aSite } from "../fixtures.ts"
import { makeChoices } from "./CoverageSetup.ts"
import { asCallerOf } from "./EventSetup.ts"
import { aName } from "./FindingModel.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import type { ComparedPorts, Step } from "./Reference.ts"
import { changedAt, hostileTexts, secondsBefore, tooGreat } from "./Setup.ts"

const idsOf = <Id>(make: (id: string) => Id, count: number) => Array.from({ length: count }, () => make(anId()))

const usual = { documents: 8, isLimited: false, owners: 2, portfolios: 3, sites: 6, webhooks: 0 }

/** Numbers of records of a world, and whether its steps reach some portfolios alone. */
export type Counts = Partial<typeof usual>

/** Organisations, ids, and choices that are the same in every run. */
export const makeWorld = (seed: number, counts: Counts = {}) => {
  const { documents, isLimited, owners, portfolios, sites, webhooks } = { ...usual, ...counts }
  return {
    ...makeChoices(seed),
    /** Steps reach some portfolios alone. */
    isLimited,
    owners: Array.from({ length: owners }, () => anOrganisation()),
    stranger: anOrganisationId(),
    portfolioIds: idsOf((id) => PortfolioId.make(id), portfolios),
    siteIds: idsOf((id) => SiteId.make(id), sites),
    documentIds: idsOf((id) => DocumentId.make(id), documents),
    webhookIds: idsOf((id) => WebhookId.make(id), webhooks),
    externalIds: ["A-1", "a-1", " A-1", "null", "{}", "é😀"].slice(0, sites).map((text) => ExternalId.make(text)),
    /** Deliveries that were stored so far. */
    deliveries: [] as { readonly id: WebhookDeliveryId; readonly webhookId: WebhookId }[],
    /** Seconds that have passed, and calls that asked for an instant. */
    clock: { now: 0, calls: 0 },
    /** Seeds of idempotency keys so far. */
    seeds: [anId()],
    /** Ends of the claims so far. */
    claims: [changedAt]
  }
}

export type World = ReturnType<typeof makeWorld>

/** Makes a step. All that is random in it is chosen before it runs, since it runs twice. */
export type Random<Ports = ComparedPorts> = (world: World) => Step<Ports>

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

/** Seldom the end of a claim is not that of the last one. */
export const endOfClaim = ({ below, claims }: World): DateTime.Utc => claims.at(-1 - below(2)) ?? changedAt

/** An instant of a change. */
export const aMoment = ({ below }: World): DateTime.Utc => DateTime.add(changedAt, { seconds: below(1_000) })

/** Versions that may be those of a record, or none. One organisation alone expects none, so that its steps meet. */
export const someVersions = (world: World): { readonly expectedVersions?: ReadonlyArray<number> } =>
  world.owners.length === 1
    ? {}
    : world.of({}, { expectedVersions: one(world, [[], [], [1], [4, 3, 2, 1], tooGreat, [...tooGreat, 1, 2]]) })

/** The organisation, or more often some of its portfolios. */
export const aReach = (world: World, organisationId: OrganisationId): Reach =>
  world.isLimited && world.below(3) > 0
    ? { organisationId, portfolioIds: some(world, world.portfolioIds) }
    : organisationId

/** A step of a caller of the organisation. */
export const step = <Ports>(name: string, organisationId: OrganisationId, run: Step<Ports>["run"]) => ({
  name,
  run: asCallerOf(organisationId)(run).ran
})

/** A step of a caller with this reach. */
export const stepWithin = <Ports>(name: string, reach: Reach, run: Step<Ports>["run"]) => ({
  name: `${name} within ${JSON.stringify(reach)}`,
  run: asCallerOf(reach)(Effect.updateService(run, Records, (records) => recordsIn(records, reach))).ran
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

const portfolioOf = (world: World, organisationId: OrganisationId, id: PortfolioId) => {
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

const siteOf = (world: World, organisationId: OrganisationId, id: SiteId, reach: Reach = organisationId) => {
  const site = aSite({
    ...someMembers(world),
    id,
    organisationId,
    externalId: one(world, [null, ...world.externalIds]),
    createdAt: secondsBefore(world.below(9)),
    version: 1 + world.below(3)
  })
  const run = Effect.flatMap(siteMethods, ({ insert }) => insert(organisationId, site))
  // A caller within portfolios creates no site outside of them: a check before the rules refuses it.
  return stepWithin("create site", site.portfolioId === null ? organisationId : reach, run)
}

export const createPortfolio = (world: World) => portfolioOf(world, anOwner(world), one(world, world.portfolioIds))
export const createSite = (world: World) => {
  const organisationId = anOwner(world)
  return siteOf(world, organisationId, one(world, world.siteIds), aReach(world, organisationId))
}

export const requireDocuments: Random = (world) => {
  const organisationId = anOwner(world)
  const list = some(world, [null, ...world.portfolioIds]).map((portfolioId) =>
    aRequirement({ portfolioId, documentType: world.of("ppa", "epc") })
  )
  const at = aMoment(world)
  const run = Effect.flatMap(requirementListRecords, ({ replace }) => replace(organisationId, list, { at }))
  return step("require documents", organisationId, run)
}

export const createOrganisations = ({ owners }: World) =>
  owners.map((organisation) =>
    step(
      "create organisation",
      organisation.id,
      OrganisationRepository.use(({ insert }) => insert(organisation))
    )
  )

/** In each organisation all sites but one. */
export const createSites = (world: World) =>
  world.owners.flatMap(({ id }) => world.siteIds.slice(1).map((siteId) => siteOf(world, id, siteId)))

/** The steps that all others follow: organisations with their portfolios, and with all sites but one. */
export const begin = (world: World) => [
  ...createOrganisations(world),
  ...world.owners.flatMap(({ id }) => world.portfolioIds.map((portfolioId) => portfolioOf(world, id, portfolioId))),
  ...createSites(world)
]
