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
import type { Effect } from "effect"
import { notices } from "./breaking.ts"

const sites = "saves, deletes and lists sites within portfolios as core does"
const portfolios = "moves sites, and lists portfolios, coverage and events within portfolios as core does"
const documents = "changes, deletes and lists documents within portfolios as core does"

/** The method of an adapter that forgets the portfolios of the reach. */
const ofWhole =
  <Rest extends ReadonlyArray<unknown>, A, E>(method: (reach: Reach, ...rest: Rest) => Effect.Effect<A, E>) =>
  (reach: Reach, ...rest: Rest): Effect.Effect<A, E> =>
    method(reachParts(reach).organisationId, ...rest)

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "lists the sites of other portfolios",
    replace: ({ list }) => ({ list: ofWhole(list) }),
    noticedBy: [sites]
  },
  {
    breakage: "saves sites of other portfolios",
    replace: ({ saveMany }) => ({ saveMany: ofWhole(saveMany) }),
    noticedBy: [sites]
  },
  {
    breakage: "finds external ids of other portfolios",
    replace: ({ idsByExternalId }) => ({ idsByExternalId: ofWhole(idsByExternalId) }),
    noticedBy: [sites]
  },
  {
    breakage: "deletes sites of other portfolios",
    replace: (intact) => ({ delete: ofWhole(intact.delete) }),
    noticedBy: [sites]
  }
])

notices(siteRepositoryConformance, EventRepository, [
  {
    breakage: "lists the events of other portfolios",
    replace: ({ list }) => ({ list: ofWhole(list) }),
    noticedBy: [sites]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "lists other portfolios",
    replace: ({ list }) => ({ list: ofWhole(list) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "lists other portfolios with their sites",
    replace: ({ listWithSites }) => ({ listWithSites: ofWhole(listWithSites) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "moves sites of other portfolios",
    replace: ({ moveSites }) => ({ moveSites: ofWhole(moveSites) }),
    noticedBy: [portfolios]
  }
])

notices(portfolioRepositoryConformance, RequirementRepository, [
  {
    breakage: "lists the coverage of other portfolios",
    replace: ({ listCoverage }) => ({ listCoverage: ofWhole(listCoverage) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "summarises the coverage of other portfolios",
    replace: ({ summariseCoverage }) => ({ summariseCoverage: ofWhole(summariseCoverage) }),
    noticedBy: [portfolios]
  }
])

notices(documentRepositoryConformance, DocumentRepository, [
  {
    breakage: "lists the documents of other portfolios",
    replace: ({ list }) => ({ list: ofWhole(list) }),
    noticedBy: [documents]
  },
  {
    breakage: "lists the revisions of documents of other portfolios",
    replace: ({ listRevisions }) => ({ listRevisions: ofWhole(listRevisions) }),
    noticedBy: [documents]
  }
])
