import { CoverageState, RequirementRepository } from "@solar-sites/core"
import { requirementRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { type Breakage, type Database, notices } from "./breaking.ts"

const compared = "answers coverage as core does, in organisations with the same ids"
const random = "computes coverage as core does, on every day (random records 2) (in Europe/Berlin)"

type Service = RequirementRepository["Service"]

/** The records of all organisations. */
const everyone = (database: Database) => [...database.keys()]

notices(requirementRepositoryConformance, RequirementRepository, [
  {
    breakage: "answers the sites of all portfolios",
    replace: ({ listCoverage }) => ({
      listCoverage: (owner, { portfolioId: _, ...conditions }, page) => listCoverage(owner, conditions, page)
    }),
    noticedBy: [compared]
  },
  {
    breakage: "always names a next position",
    replace: ({ listCoverage }) => ({
      listCoverage: (...asked) =>
        Effect.map(listCoverage(...asked), ({ items, next }) => ({ items, next: next ?? items.at(-1)?.siteId ?? null }))
    }),
    noticedBy: [compared]
  },
  {
    breakage: "finds sites without requirements incomplete",
    replace: ({ listCoverage, summariseCoverage }) => ({
      listCoverage: (...asked) =>
        Effect.map(listCoverage(...asked), ({ items, next }) => ({
          items: items.map((site) => ({ ...site, complete: site.complete && site.items.length > 0 })),
          next
        })),
      summariseCoverage
    }),
    noticedBy: [compared]
  },
  {
    breakage: "lists the sites of all organisations",
    replace: ({ listCoverage }, database) => ({
      listCoverage: (_, ...asked) =>
        Effect.map(
          Effect.forEach(everyone(database), (owner) => listCoverage(owner, ...asked)),
          (pages) => ({
            items: pages.flatMap(({ items }) => items),
            next: null
          })
        )
    }),
    noticedBy: [compared]
  },
  {
    breakage: "counts the sites of all organisations",
    replace: ({ summariseCoverage }, database) => ({
      summariseCoverage: (asking, ...asked) =>
        Effect.map(
          Effect.all([
            summariseCoverage(asking, ...asked),
            Effect.forEach(everyone(database), (owner) => summariseCoverage(owner, ...asked))
          ]),
          ([own, all]) => ({ ...own, siteCount: all.reduce((sum, { siteCount }) => sum + siteCount, 0) })
        )
    }),
    noticedBy: [compared]
  },
  {
    breakage: "keeps sites with one item of the state and another of the document type",
    replace: ({ listCoverage }) => ({
      listCoverage: (owner, { documentType, ...conditions }, page) =>
        Effect.map(listCoverage(owner, conditions, page), ({ items, next }) => ({
          items: items.filter(
            (site) => documentType === undefined || site.items.some((item) => item.documentType === documentType)
          ),
          next
        }))
    }),
    noticedBy: [random]
  },
  {
    breakage: "answers the items alone that fulfil the conditions",
    replace: ({ listCoverage }) => ({
      listCoverage: (owner, conditions, page) =>
        Effect.map(listCoverage(owner, conditions, page), ({ items, next }) => ({
          items: items.map((site) => ({
            ...site,
            items: site.items.filter(({ state }) => state === (conditions.state ?? state))
          })),
          next
        }))
    }),
    noticedBy: [random]
  },
  ...CoverageState.literals.map(
    (state): Breakage<Service> => ({
      breakage: `counts no site as ${state}`,
      replace: ({ summariseCoverage }) => ({
        summariseCoverage: (...asked) =>
          Effect.map(summariseCoverage(...asked), (summary) => ({
            ...summary,
            documentTypes: summary.documentTypes.map((type) => ({ ...type, [state]: 0 }))
          }))
      }),
      noticedBy: [random]
    })
  ),
  {
    breakage: "counts all sites as complete",
    replace: ({ summariseCoverage }) => ({
      summariseCoverage: (...asked) =>
        Effect.map(summariseCoverage(...asked), (summary) => ({ ...summary, completeCount: summary.siteCount }))
    }),
    noticedBy: [random]
  },
  {
    breakage: "names document types that no site of the portfolio needs",
    replace: ({ summariseCoverage }) => ({
      summariseCoverage: (owner, conditions) =>
        Effect.map(
          Effect.all([summariseCoverage(owner, conditions), summariseCoverage(owner, { asOf: conditions.asOf })]),
          ([{ documentTypes: _, ...own }, { documentTypes }]) => ({ ...own, documentTypes })
        )
    }),
    noticedBy: [random]
  }
])
