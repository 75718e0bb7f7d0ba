import { Portfolio, PortfolioNotFound, PortfolioRepository, Site, SiteNotFound } from "@solar-sites/core"
import { portfolioRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices, whereverIs } from "./breaking.ts"

const moves = "moves sites in and answers them in the order asked for"
const removes = "removes sites and increments their versions"
const allOrNone = "moves no site in when one of them is missing or another organisation's"
const noneOut = "removes no site when one of them is not in the portfolio"
const absentFirst = "refuses an absent portfolio before anything about the sites"
const opposite = "leaves every site in exactly one portfolio when two ask for the same sites in opposite order"
const deleted = "leaves no site in a portfolio that is deleted while sites are added"

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "takes sites out of any version of a portfolio",
    replace: ({ removeSites }) => ({
      removeSites: (owner, id, siteIds, { at }) => removeSites(owner, id, siteIds, { at })
    }),
    noticedBy: ["removes sites only from an expected version of the portfolio"]
  },
  {
    breakage: "moves one site after the other until one is missing",
    replace: ({ addSites }) => ({
      addSites: (owner, id, siteIds, options) =>
        Effect.map(
          Effect.forEach(siteIds, (siteId) => addSites(owner, id, [siteId], options)),
          (added) => added.flat()
        )
    }),
    noticedBy: [allOrNone]
  },
  {
    breakage: "moves in the sites there are and passes over the others",
    replace: ({ addSites }, database) => ({
      addSites: (owner, id, siteIds, options) =>
        addSites(
          owner,
          id,
          siteIds.filter((siteId) => database.get(owner)?.sites.has(siteId)),
          options
        )
    }),
    noticedBy: [allOrNone]
  },
  {
    breakage: "adds to a portfolio of any organisation",
    replace: ({ addSites }, database) => ({
      addSites: (owner, id, siteIds, options) =>
        addSites(whereverIs(database, "portfolios", id) ?? owner, id, siteIds, options)
    }),
    noticedBy: [absentFirst]
  },
  {
    breakage: "looks for the sites before the portfolio",
    replace: ({ addSites }, database) => ({
      addSites: (owner, id, siteIds, options) => {
        const missing = siteIds.filter((siteId) => !database.get(owner)?.sites.has(siteId))
        return missing.length > 0
          ? Effect.fail(new SiteNotFound({ siteIds: missing }))
          : addSites(owner, id, siteIds, options)
      }
    }),
    noticedBy: [absentFirst]
  },
  {
    breakage: "names all sites as missing",
    replace: ({ addSites }) => ({
      addSites: (owner, id, siteIds, options) =>
        Effect.catchTag(addSites(owner, id, siteIds, options), "SiteNotFound", () =>
          Effect.fail(new SiteNotFound({ siteIds }))
        )
    }),
    noticedBy: [allOrNone]
  },
  {
    breakage: "answers in the order of ids",
    replace: ({ addSites }) => ({
      addSites: (...args) => Effect.map(addSites(...args), (sites) => sites.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    }),
    noticedBy: [moves, opposite]
  },
  {
    breakage: "counts a move of sites that are in already",
    replace: ({ addSites, findById, removeSites }, database) => ({
      addSites: Effect.fnUntraced(function* (owner, id, siteIds, options) {
        yield* findById(owner, id)
        const inside = siteIds.filter((siteId) => database.get(owner)?.sites.get(siteId)?.portfolioId === id)
        if (inside.length > 0) yield* Effect.orDie(removeSites(owner, id, inside, options))
        return yield* addSites(owner, id, siteIds, options)
      })
    }),
    noticedBy: [moves]
  },
  {
    breakage: "counts moves as changes of the portfolio",
    replace: ({ addSites }, database) => ({
      addSites: (owner, id, ...rest) =>
        Effect.tap(addSites(owner, id, ...rest), () =>
          Effect.sync(() => {
            const portfolio = database.get(owner)?.portfolios.get(id)
            if (portfolio === undefined) return
            const counted = new Portfolio({ ...portfolio, version: portfolio.version + 1 })
            database.get(owner)?.portfolios.set(id, counted)
          })
        )
    }),
    noticedBy: [moves]
  },
  {
    breakage: "takes out the sites that are in and passes over the others",
    replace: ({ removeSites }, database) => ({
      removeSites: (owner, id, siteIds, options) =>
        removeSites(
          owner,
          id,
          siteIds.filter((siteId) => database.get(owner)?.sites.get(siteId)?.portfolioId === id),
          options
        )
    }),
    noticedBy: [noneOut]
  },
  {
    breakage: "takes one site out after the other until one is not in",
    replace: ({ removeSites }) => ({
      removeSites: (owner, id, siteIds, options) =>
        Effect.forEach(siteIds, (siteId) => removeSites(owner, id, [siteId], options), { discard: true })
    }),
    noticedBy: [noneOut]
  },
  {
    breakage: "takes sites out without counting it",
    replace: (_, database) => ({
      removeSites: (owner, _id, siteIds) =>
        Effect.sync(() => {
          for (const siteId of siteIds) {
            const site = database.get(owner)?.sites.get(siteId)
            if (site !== undefined) {
              database.get(owner)?.sites.set(siteId, new Site({ ...site, portfolioId: null }))
            }
          }
        })
    }),
    noticedBy: [removes, noneOut]
  },
  {
    breakage: "moves site by site while others do the same",
    replace: ({ addSites }) => ({
      addSites: (owner, id, siteIds, options) =>
        Effect.map(
          Effect.forEach(siteIds, (siteId) => Effect.andThen(Effect.yieldNow, addSites(owner, id, [siteId], options))),
          (added) => added.flat()
        )
    }),
    noticedBy: [opposite, "adds all sites or none while one of them is deleted"]
  },
  {
    breakage: "reads the sites a moment before it moves them",
    replace: ({ addSites }, database) => ({
      addSites: Effect.fnUntraced(function* (owner, id, siteIds, options) {
        const read = new Map(database.get(owner)?.sites)
        yield* Effect.yieldNow
        const moved = yield* addSites(owner, id, siteIds, options)
        return moved.map((site) => {
          const stale = new Site({ ...site, version: (read.get(site.id)?.version ?? 0) + 1 })
          database.get(owner)?.sites.set(site.id, stale)
          return stale
        })
      })
    }),
    noticedBy: [opposite]
  },
  {
    breakage: "looks for the portfolio a moment before it moves sites there",
    replace: ({ addSites }, database) => ({
      addSites: Effect.fnUntraced(function* (owner, id, siteIds, options) {
        const portfolio = database.get(owner)?.portfolios.get(id)
        if (portfolio === undefined) return yield* new PortfolioNotFound({ portfolioId: id })
        yield* Effect.yieldNow
        const isGone = !database.get(owner)?.portfolios.has(id)
        database.get(owner)?.portfolios.set(id, portfolio)
        const moved = yield* addSites(owner, id, siteIds, options)
        if (isGone) database.get(owner)?.portfolios.delete(id)
        return moved
      })
    }),
    noticedBy: [deleted]
  }
])
