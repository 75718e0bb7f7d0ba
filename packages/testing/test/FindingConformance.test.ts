import { DocumentRepository, type FoundSites, PortfolioRepository, SiteRepository } from "@solar-sites/core"
import {
  documentRepositoryConformance,
  portfolioRepositoryConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"

const folds = "finds sites without regard to case and accents, whatever their normal form"
const everyWord = "finds sites in which every word occurs, each in any of the searched texts"
const goesOn = "continues after a position whose site has changed or gone"
const asCore = (what: string, seed: number) => `finds and sorts ${what} as core does (random records ${seed})`

/** Searches for one word instead of all. */
const firstWord = ({ q, ...others }: FoundSites): FoundSites =>
  q === undefined ? others : { ...others, q: q.split(" ").find((word) => word !== "") ?? q }

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "finds sites only in the spelling of their names",
    replace: ({ list }) => ({
      list: (owner, { q = "", ...others }, page) =>
        Effect.map(list(owner, others, page), ({ hasMore, items }) => ({
          items: items.filter(({ siteName }) => siteName.includes(q)),
          hasMore
        }))
    }),
    noticedBy: [folds, everyWord, asCore("sites", 1)]
  },
  {
    breakage: "searches for the first word alone",
    replace: ({ list }) => ({ list: (owner, conditions, page) => list(owner, firstWord(conditions), page) }),
    noticedBy: [everyWord]
  },
  {
    breakage: "takes an underscore for a space",
    replace: ({ list }) => ({
      list: (owner, { q, ...others }, page) =>
        list(owner, { ...others, ...(q === undefined ? {} : { q: q.replaceAll("_", " ") }) }, page)
    }),
    noticedBy: [everyWord]
  },
  {
    breakage: "sorts all lists by id",
    replace: ({ list }) => ({
      list: (owner, conditions, { after, limit }) => list(owner, conditions, { after, limit })
    }),
    noticedBy: [goesOn, asCore("sites", 1), asCore("sites", 2), asCore("sites", 3)]
  },
  {
    breakage: "sorts in ascending order alone",
    replace: ({ list }) => ({
      list: (owner, conditions, { sort, ...page }) =>
        list(owner, conditions, { ...page, ...(sort === undefined ? {} : { sort: { ...sort, order: "asc" } }) })
    }),
    noticedBy: [asCore("sites", 1), asCore("sites", 2), asCore("sites", 3)]
  },
  {
    breakage: "continues after the value of the position, past other sites with that value",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        page.sort === undefined || page.after === null
          ? list(owner, conditions, page)
          : Effect.map(list(owner, conditions, { ...page, limit: page.limit + 1 }), ({ hasMore, items }) => ({
              items: items.slice(1),
              hasMore
            }))
    }),
    noticedBy: [goesOn, asCore("sites", 1)]
  },
  {
    breakage: "ignores updatedAfter",
    replace: ({ list }) => ({
      list: (owner, { updatedAfter: _, ...others }, page) => list(owner, others, page)
    }),
    noticedBy: [asCore("sites", 1)]
  },
  {
    breakage: "lists the sites of all portfolios where those in none are asked for",
    replace: ({ list }) => ({
      list: (owner, { portfolioId, ...others }, page) =>
        list(owner, portfolioId == null ? others : { ...others, portfolioId }, page)
    }),
    noticedBy: [asCore("sites", 1)]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "lists all portfolios, whatever is searched",
    replace: ({ list }) => ({ list: (owner, _, page) => list(owner, {}, page) }),
    noticedBy: [asCore("portfolios", 1), asCore("portfolios", 2)]
  },
  {
    breakage: "sorts all portfolios by id",
    replace: ({ list }) => ({
      list: (owner, conditions, { after, limit }) => list(owner, conditions, { after, limit })
    }),
    noticedBy: [asCore("portfolios", 1), asCore("portfolios", 2)]
  }
])

notices(documentRepositoryConformance, DocumentRepository, [
  {
    breakage: "ignores the portfolio of the site",
    replace: ({ list }) => ({
      list: (owner, { portfolioId: _, ...others }, page) => list(owner, others, page)
    }),
    noticedBy: [asCore("documents", 1), asCore("documents", 2), asCore("documents", 3)]
  },
  {
    breakage: "sorts documents without validity last in both directions",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ hasMore, items }) => ({
          items:
            page.sort?.by === "validUntil"
              ? items.toSorted((a, b) => Number(a.validUntil === null) - Number(b.validUntil === null))
              : items,
          hasMore
        }))
    }),
    noticedBy: [asCore("documents", 1), asCore("documents", 2), asCore("documents", 3)]
  },
  {
    breakage: "sorts documents without validity first",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ hasMore, items }) => ({
          items:
            page.sort?.by === "validUntil"
              ? items.toSorted((a, b) => Number(a.validUntil !== null) - Number(b.validUntil !== null))
              : items,
          hasMore
        }))
    }),
    noticedBy: [asCore("documents", 1), asCore("documents", 2), asCore("documents", 3)]
  }
])
