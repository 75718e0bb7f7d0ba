import { Portfolio, PortfolioRepository, Site } from "@solar-sites/core"
import { portfolioRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices, whereverIs } from "./breaking.ts"
import { answering, moving, movingOthers, oneByOne } from "./PortfolioBreaking.ts"

const portfolios = "moves sites, and deletes and lists portfolios as core does, in organisations with the same ids"
const portfoliosAtOnce = "moves sites and deletes portfolios at once as in some order"

const inOrderOfId = (sites: ReadonlyArray<Site>) => sites.toSorted((a, b) => (a.id < b.id ? -1 : 1))

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "takes sites out of any version of a portfolio",
    replace: moving(
      "outOf",
      (move) =>
        (owner, given, { at, origin }) =>
          move(owner, given, { at, origin })
    ),
    noticedBy: [portfolios]
  },
  {
    breakage: "moves one site after the other until one is missing",
    replace: moving("into", oneByOne()),
    noticedBy: [portfolios]
  },
  {
    breakage: "moves in the sites there are and passes over the others",
    replace: (intact, database) =>
      moving(
        "into",
        movingOthers((owner, { siteIds }) => siteIds.filter((siteId) => database.get(owner)?.sites.has(siteId)))
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "adds to a portfolio of any organisation",
    replace: (intact, database) =>
      moving(
        "into",
        (move) => (owner, given, options) =>
          move(whereverIs(database, "portfolios", given.portfolioId) ?? owner, given, options)
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "names all sites as missing",
    replace: moving(
      "into",
      answering((found, { siteIds }) => (found.missing.length > 0 ? { ...found, missing: siteIds } : found))
    ),
    noticedBy: [portfolios]
  },
  {
    breakage: "answers in the order of ids",
    replace: moving(
      "into",
      answering((found) => ({ ...found, sites: inOrderOfId(found.sites) }))
    ),
    noticedBy: [portfolios]
  },
  {
    breakage: "counts a move of sites that are in already",
    replace: ({ moveSites }, database) => ({
      moveSites: Effect.fnUntraced(function* (owner, move, options) {
        const { portfolioId, siteIds } = move
        const inside = siteIds.filter((siteId) => database.get(owner)?.sites.get(siteId)?.portfolioId === portfolioId)
        if (move.direction === "into" && inside.length > 0) {
          yield* moveSites(owner, { portfolioId, siteIds: inside, direction: "outOf" }, options)
        }
        return yield* moveSites(owner, move, options)
      })
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "counts moves as changes of the portfolio",
    replace: ({ moveSites }, database) => ({
      moveSites: (owner, move, options) =>
        Effect.tap(moveSites(owner, move, options), () =>
          Effect.sync(() => {
            const portfolio = database.get(owner)?.portfolios.get(move.portfolioId)
            if (portfolio === undefined) return
            const counted = new Portfolio({ ...portfolio, version: portfolio.version + 1 })
            database.get(owner)?.portfolios.set(move.portfolioId, counted)
          })
        )
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "takes out the sites that are in and passes over the others",
    replace: (intact, database) =>
      moving(
        "outOf",
        movingOthers((owner, { portfolioId, siteIds }) =>
          siteIds.filter((siteId) => database.get(owner)?.sites.get(siteId)?.portfolioId === portfolioId)
        )
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "takes one site out after the other until one is not in",
    replace: moving("outOf", oneByOne()),
    noticedBy: [portfolios]
  },
  {
    breakage: "takes sites out without counting it",
    replace: (intact, database) =>
      moving(
        "outOf",
        () =>
          (owner, { siteIds }) =>
            Effect.sync(() => {
              for (const siteId of siteIds) {
                const site = database.get(owner)?.sites.get(siteId)
                if (site !== undefined) {
                  database.get(owner)?.sites.set(siteId, new Site({ ...site, portfolioId: null }))
                }
              }
              return { version: 1, isExpected: true, missing: [], areTooLarge: false, sites: [] }
            })
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "moves site by site while others do the same",
    replace: moving("into", oneByOne(Effect.yieldNow)),
    noticedBy: [portfoliosAtOnce]
  },
  {
    breakage: "reads the sites a moment before it moves them",
    replace: (intact, database) =>
      moving("into", (move) =>
        Effect.fnUntraced(function* (owner, given, options) {
          const read = new Map(database.get(owner)?.sites)
          yield* Effect.yieldNow
          const found = yield* move(owner, given, options)
          if (found === null) return null
          const sites = found.sites.map((site) => {
            const stale = new Site({ ...site, version: (read.get(site.id)?.version ?? 0) + 1 })
            database.get(owner)?.sites.set(site.id, stale)
            return stale
          })
          return { ...found, sites }
        })
      )(intact),
    noticedBy: [portfoliosAtOnce]
  },
  {
    breakage: "looks for the portfolio a moment before it moves sites there",
    replace: (intact, database) =>
      moving("into", (move) =>
        Effect.fnUntraced(function* (owner, given, options) {
          const { portfolioId } = given
          const portfolio = database.get(owner)?.portfolios.get(portfolioId)
          if (portfolio === undefined) return null
          yield* Effect.yieldNow
          const isGone = !database.get(owner)?.portfolios.has(portfolioId)
          database.get(owner)?.portfolios.set(portfolioId, portfolio)
          const moved = yield* move(owner, given, options)
          if (isGone) database.get(owner)?.portfolios.delete(portfolioId)
          return moved
        })
      )(intact),
    noticedBy: [portfoliosAtOnce]
  }
])
