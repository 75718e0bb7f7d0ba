import { PortfolioRepository, SiteRepository } from "@solar-sites/core"
import { portfolioRepositoryConformance, siteRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices, whereverIs } from "./breaking.ts"

const sameSite = "leaves a site as it is when its id is inserted again, and answers it"
const oneSite = "stores one site and answers it to all when an id is inserted ten times at once"
const samePortfolios =
  "leaves portfolios as they are when their ids are inserted again, and answers what is stored in order"
const onePortfolio = "stores each portfolio once and answers it to all when ids are inserted ten times at once"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "stores over what is there",
    replace: ({ insert }, database) => ({
      insert: (owner, site) => {
        database.get(owner)?.sites.delete(site.id)
        return insert(owner, site)
      }
    }),
    noticedBy: [sameSite]
  },
  {
    breakage: "refuses an id that is there already",
    replace: ({ insert }, database) => ({
      insert: (owner, site) =>
        database.get(owner)?.sites.has(site.id) ? Effect.die(new Error("duplicate key")) : insert(owner, site)
    }),
    noticedBy: [sameSite, oneSite]
  },
  {
    breakage: "answers what it was given instead of what is stored",
    replace: ({ insert }) => ({ insert: (owner, site) => Effect.as(insert(owner, site), site) }),
    noticedBy: [sameSite, oneSite]
  },
  {
    breakage: "answers the site that another organisation has under the id",
    replace: ({ insert }, database) => ({
      insert: (owner, site) => insert(whereverIs(database, "sites", site.id) ?? owner, site)
    }),
    noticedBy: ["answers a new site as it was inserted, whether or not another organisation has its id"]
  },
  {
    breakage: "looks for the id a moment before it inserts",
    replace: ({ findById, insert }, database) => ({
      insert: Effect.fnUntraced(function* (owner, site) {
        const there = yield* findById(owner, site.id)
        if (Option.isSome(there)) return there.value
        yield* Effect.yieldNow
        database.get(owner)?.sites.delete(site.id)
        return yield* insert(owner, site)
      })
    }),
    noticedBy: [oneSite]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "stores over what is there",
    replace: ({ insertMany }, database) => ({
      insertMany: (owner, portfolios) => {
        for (const { id } of portfolios) database.get(owner)?.portfolios.delete(id)
        return insertMany(owner, portfolios)
      }
    }),
    noticedBy: [samePortfolios, onePortfolio]
  },
  {
    breakage: "answers only what it has inserted",
    replace: ({ insertMany }, database) => ({
      insertMany: (owner, portfolios) => {
        const there = new Set(database.get(owner)?.portfolios.keys())
        return Effect.map(insertMany(owner, portfolios), (stored) => stored.filter(({ id }) => !there.has(id)))
      }
    }),
    noticedBy: [samePortfolios, onePortfolio]
  },
  {
    breakage: "answers in the order of ids",
    replace: ({ insertMany }) => ({
      insertMany: (owner, portfolios) =>
        insertMany(
          owner,
          portfolios.toSorted((a, b) => (a.id < b.id ? -1 : 1))
        )
    }),
    noticedBy: [samePortfolios, onePortfolio]
  },
  {
    breakage: "takes the id of another organisation for taken",
    replace: ({ insertMany }, database) => ({
      insertMany: (owner, [first, ...others]) =>
        insertMany(
          whereverIs(database, "portfolios", first?.id ?? "") ?? owner,
          first === undefined ? [] : [first, ...others]
        )
    }),
    noticedBy: ["answers new portfolios as they were inserted, whether or not another organisation has their ids"]
  }
])
