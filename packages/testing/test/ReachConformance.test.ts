/** Adapters that forget the portfolios of a reach: one per port method that takes a reach. */
import type * as core from "@solar-sites/core"
import {
  DocumentRepository,
  EventRepository,
  PortfolioRepository,
  type Reach,
  RequirementRepository,
  reachParts,
  SiteRepository
} from "@solar-sites/core"
import {
  documentRepositoryConformance,
  portfolioRepositoryConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import type { Context, Effect } from "effect"
import { notices } from "./breaking.ts"

const sites = "saves, deletes and lists sites within portfolios as core does"
const map = "counts sites on a map as core does (random conditions 1)"
const portfolios = "moves sites, and lists portfolios, coverage and events within portfolios as core does"
const documents = "changes, deletes and lists documents within portfolios as core does"

type IsEqual<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Whether a function takes a reach as its first argument. */
type TakesReach<Method> = [Method] extends [(first: infer First, ...rest: never) => unknown]
  ? IsEqual<First, Reach>
  : false

type MethodOf<Service> = Extract<keyof Service, string>

type Reaching<Service> = {
  [Name in MethodOf<Service>]: TakesReach<Service[Name]> extends true ? Name : never
}[MethodOf<Service>]

type ServiceOf<Exported> = Exported extends Context.Key<infer _Id, infer Service> ? Service : never

type Exports = typeof core

/** The ports of core with methods that take a reach. A new one does not compile until it has a twin below. */
type ReachingPort = {
  [Name in keyof Exports]: [Reaching<ServiceOf<Exports[Name]>>] extends [never] ? never : Name
}[keyof Exports]

/** The method of an adapter that forgets the portfolios of the reach. */
const ofWhole =
  <Rest extends ReadonlyArray<unknown>, A, E>(method: (reach: Reach, ...rest: Rest) => Effect.Effect<A, E>) =>
  (reach: Reach, ...rest: Rest): Effect.Effect<A, E> =>
    method(reachParts(reach).organisationId, ...rest)

/** A twin of each method, in the words of what the adapter does. */
type Twins<Service> = { readonly [Name in Reaching<Service>]: string }

const broken = <Service extends object>(intact: Service, name: string): Partial<Service> => {
  const twin = { [name]: ofWhole(Object(intact)[name]) }
  return twin as Partial<Service> // The names are those of methods of the service.
}

const forgetful = <Service extends object>(twins: Readonly<Record<string, string>>, noticedBy: string) =>
  Object.entries(twins).map(([name, breakage]) => ({
    breakage,
    replace: (intact: Service) => broken(intact, name),
    noticedBy: [noticedBy] as const
  }))

const ports: { readonly [Port in ReachingPort]: () => void } = {
  SiteRepository: () => {
    const twins: Twins<SiteRepository["Service"]> = {
      list: "lists the sites of other portfolios",
      saveMany: "saves sites of other portfolios",
      idsByExternalId: "finds external ids of other portfolios",
      clusters: "counts the sites of other portfolios on the map",
      delete: "deletes sites of other portfolios"
    }
    const { clusters, ...others } = twins
    const all = [...forgetful(others, sites), ...forgetful({ clusters }, map)]
    notices(siteRepositoryConformance, SiteRepository, all)
  },
  EventRepository: () => {
    const twins: Twins<EventRepository["Service"]> = { list: "lists the events of other portfolios" }
    notices(siteRepositoryConformance, EventRepository, forgetful(twins, sites))
  },
  PortfolioRepository: () => {
    const twins: Twins<PortfolioRepository["Service"]> = {
      list: "lists other portfolios",
      listWithSites: "lists other portfolios with their sites",
      moveSites: "moves sites of other portfolios"
    }
    notices(portfolioRepositoryConformance, PortfolioRepository, forgetful(twins, portfolios))
  },
  RequirementRepository: () => {
    const twins: Twins<RequirementRepository["Service"]> = {
      listCoverage: "lists the coverage of other portfolios",
      summariseCoverage: "summarises the coverage of other portfolios"
    }
    notices(portfolioRepositoryConformance, RequirementRepository, forgetful(twins, portfolios))
  },
  DocumentRepository: () => {
    const twins: Twins<DocumentRepository["Service"]> = {
      list: "lists the documents of other portfolios",
      listRevisions: "lists the revisions of documents of other portfolios"
    }
    notices(documentRepositoryConformance, DocumentRepository, forgetful(twins, documents))
  }
}

for (const test of Object.values(ports)) test()
