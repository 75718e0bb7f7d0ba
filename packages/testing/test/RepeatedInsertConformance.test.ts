import { PortfolioRepository, SiteRepository } from "@solar-sites/core"
import { portfolioRepositoryConformance, siteRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices, whereverIs } from "./breaking.ts"

const sameSite = "leaves a site unchanged when its id is inserted again, and returns it"
const oneSite = "stores one site and returns it to all of ten concurrent inserts of one id"
const samePortfolios =
  "leaves portfolios unchanged when their ids are inserted again, and returns the stored ones in order"
const onePortfolio = "stores each portfolio once and returns it to all of ten concurrent inserts"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "overwrites the stored record",
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
    breakage: "returns the input instead of the stored record",
    replace: ({ insert }) => ({ insert: (owner, site) => Effect.as(insert(owner, site), site) }),
    noticedBy: [sameSite, oneSite]
  },
  {
    breakage: "answers the site that another organisation has under the id",
    replace: ({ insert }, database) => ({
      insert: (owner, site) => insert(whereverIs(database, "sites", site.id) ?? owner, site)
    }),
    noticedBy: ["returns a new site as inserted, whether or not another organisation has its id"]
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
    breakage: "overwrites the stored record",
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
    noticedBy: ["returns new portfolios as inserted, whether or not another organisation has their ids"]
  }
])
