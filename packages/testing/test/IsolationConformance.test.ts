import {
  documentKind,
  Portfolio,
  PortfolioRepository,
  portfolioKind,
  Records,
  SiteRepository,
  siteKind
} from "@solar-sites/core"
import { portfolioRepositoryConformance, recordsConformance, siteRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { type Database, notices } from "./breaking.ts"
import { moving } from "./PortfolioBreaking.ts"
import { committingEverywhere, loadingAs, loadingEverywhere } from "./StoreBreaking.ts"
import { everywhere, ofAll } from "./withoutOrganisation.ts"

const sites = "saves, deletes and lists sites as core does, in organisations with the same ids"
const portfolios = "moves sites, and deletes and lists portfolios as core does, in organisations with the same ids"

/** The portfolio with the sites of all organisations counted. */
const countedInAll = (database: Database, portfolio: Portfolio): Portfolio => {
  const sites = [...database.values()].flatMap((owned) => [...owned.sites.values()])
  const members = sites.filter(({ portfolioId }) => portfolioId === portfolio.id)
  return new Portfolio({ ...portfolio, siteCount: members.length })
}

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "lists the sites of all organisations",
    replace: ({ list }, database) => ({ list: ofAll(database)(list) }),
    noticedBy: [sites]
  },
  {
    breakage: "deletes the site of this id in all organisations",
    replace: (intact, database) => ({ delete: everywhere(database)(intact.delete) }),
    noticedBy: [sites]
  }
])

notices(siteRepositoryConformance, Records, [
  {
    breakage: "loads the site of this id of any organisation",
    replace: loadingEverywhere,
    noticedBy: [sites]
  }
])

notices(
  recordsConformance,
  Records,
  [siteKind, documentKind].map((kind) => ({
    breakage: `changes the ${kind.name} of this id in all organisations`,
    replace: committingEverywhere(kind),
    noticedBy: [`changes and removes a ${kind.name} of the own organisation where another one has the same id`] as const
  }))
)

notices(portfolioRepositoryConformance, Records, [
  {
    breakage: "finds the portfolio of this id in any organisation",
    replace: loadingEverywhere,
    noticedBy: [portfolios]
  },
  {
    breakage: "counts the sites of all organisations when it finds a portfolio",
    replace: loadingAs(portfolioKind, (found, database) => countedInAll(database, found)),
    noticedBy: [portfolios]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "lists the portfolios of all organisations, of the same ids too",
    replace: ({ list }, database) => ({ list: ofAll(database)(list) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "lists the portfolios and sites of all organisations",
    replace: ({ listWithSites }, database) => ({ listWithSites: ofAll(database)(listWithSites) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "lists portfolios with the sites of all organisations",
    replace: ({ listWithSites }, database) => ({
      listWithSites: (owner, piece) =>
        Effect.map(listWithSites(owner, piece), ({ hasMore, items }) => {
          const all = [...database.values()].flatMap(({ sites }) => [...sites.values()])
          const sitesOf = (id: string) => all.filter(({ portfolioId }) => portfolioId === id)
          return { items: items.map((slice) => ({ ...slice, sites: sitesOf(slice.portfolioId) })), hasMore }
        })
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "counts the sites of all organisations when it lists portfolios",
    replace: ({ list }, database) => ({
      list: (...asked) =>
        Effect.map(list(...asked), ({ hasMore, items }) => ({
          items: items.map((found) => countedInAll(database, found)),
          hasMore
        }))
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "adds the sites of these ids in all organisations",
    replace: (intact, database) => moving("into", everywhere(database))(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "removes the sites of these ids in all organisations",
    replace: (intact, database) => moving("outOf", everywhere(database))(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "deletes the portfolio of this id in all organisations",
    replace: (intact, database) => ({ delete: everywhere(database)(intact.delete) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "empties the portfolio of this id in all organisations when it deletes one",
    replace: (intact, database) => ({
      delete: (owner, id, options) =>
        Effect.tap(intact.delete(owner, id, options), () =>
          Effect.forEach([...database], ([other, { sites }]) => {
            const members = [...sites.values()].filter(({ portfolioId }) => portfolioId === id)
            const ids = members.map((site) => site.id)
            return intact.moveSites(other, { portfolioId: id, siteIds: ids, direction: "outOf" }, options)
          })
        )
    }),
    noticedBy: [portfolios]
  }
])
