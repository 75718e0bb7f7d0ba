import { Portfolio, PortfolioRepository, Records, SiteRepository, siteKind } from "@solar-sites/core"
import { portfolioRepositoryConformance, siteRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { type Database, notices } from "./breaking.ts"
import { committingEverywhere, loadingEverywhere } from "./StoreBreaking.ts"
import { everywhere, firstOf, ofAll } from "./withoutOrganisation.ts"

const readsSites = "reads an organisation's own sites where another one has the same ids"
const readsPortfolios = "reads an organisation's own portfolios and totals where another one has the same ids"
const moves = "moves an organisation's own sites where another one has the same ids"

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
    noticedBy: [readsSites]
  },
  {
    breakage: "deletes the site of this id in all organisations",
    replace: (intact, database) => ({ delete: everywhere(database)(intact.delete) }),
    noticedBy: ["deletes an organisation's own site where another one has the same ids"]
  }
])

notices(siteRepositoryConformance, Records, [
  {
    breakage: "loads the site of this id of any organisation",
    replace: loadingEverywhere,
    noticedBy: [readsSites]
  },
  {
    breakage: "changes the site of this id in all organisations",
    replace: committingEverywhere(siteKind),
    noticedBy: ["changes an organisation's own site where another one has the same ids"]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "finds the portfolio of this id in any organisation",
    replace: ({ findById }, database) => ({ findById: firstOf(database)("portfolios", findById) }),
    noticedBy: [readsPortfolios]
  },
  {
    breakage: "lists the portfolios of all organisations, of the same ids too",
    replace: ({ list }, database) => ({ list: ofAll(database)(list) }),
    noticedBy: [readsPortfolios]
  },
  {
    breakage: "lists the portfolios and sites of all organisations",
    replace: ({ listWithSites }, database) => ({ listWithSites: ofAll(database)(listWithSites) }),
    noticedBy: [readsPortfolios]
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
    noticedBy: [readsPortfolios]
  },
  {
    breakage: "counts the sites of all organisations when it finds a portfolio",
    replace: ({ findById }, database) => ({
      findById: (...asked) =>
        Effect.map(
          findById(...asked),
          Option.map((found) => countedInAll(database, found))
        )
    }),
    noticedBy: [readsPortfolios]
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
    noticedBy: [readsPortfolios]
  },
  {
    breakage: "counts the sites of all organisations when it renames a portfolio",
    replace: ({ update }, database) => ({
      update: (...asked) => Effect.map(update(...asked), (found) => countedInAll(database, found))
    }),
    noticedBy: ["renames an organisation's own portfolio where another one has the same ids"]
  },
  {
    breakage: "renames the portfolio of this id in all organisations",
    replace: ({ update }, database) => ({ update: everywhere(database)(update) }),
    noticedBy: ["renames an organisation's own portfolio where another one has the same ids"]
  },
  {
    breakage: "adds the sites of these ids in all organisations",
    replace: ({ addSites }, database) => ({ addSites: everywhere(database)(addSites) }),
    noticedBy: [moves]
  },
  {
    breakage: "removes the sites of these ids in all organisations",
    replace: ({ removeSites }, database) => ({ removeSites: everywhere(database)(removeSites) }),
    noticedBy: [moves]
  },
  {
    breakage: "deletes the portfolio of this id in all organisations",
    replace: (intact, database) => ({ delete: everywhere(database)(intact.delete) }),
    noticedBy: ["deletes an organisation's own portfolio where another one has the same ids"]
  },
  {
    breakage: "empties the portfolio of this id in all organisations when it deletes one",
    replace: (intact, database) => ({
      delete: (owner, id, options) =>
        Effect.tap(intact.delete(owner, id, options), () =>
          Effect.forEach([...database], ([other, { sites }]) => {
            const members = [...sites.values()].filter(({ portfolioId }) => portfolioId === id)
            const ids = members.map((site) => site.id)
            return Effect.exit(intact.removeSites(other, id, ids, options))
          })
        )
    }),
    noticedBy: ["deletes an organisation's own portfolio where another one has the same ids"]
  },
  {
    breakage: "answers the portfolio that another organisation inserted under this id",
    replace: ({ findById, insertMany }, database) => ({
      insertMany: (owner, portfolios) =>
        Effect.andThen(
          insertMany(owner, portfolios),
          Effect.forEach(portfolios, ({ id }) =>
            Effect.map(firstOf(database)("portfolios", findById)(owner, id), Option.getOrThrow)
          )
        )
    }),
    noticedBy: ["returns new portfolios as inserted, whether or not another organisation has their ids"]
  }
])
