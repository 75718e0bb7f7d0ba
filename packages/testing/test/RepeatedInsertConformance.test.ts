import { PortfolioRepository } from "@solar-sites/core"
import { portfolioRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices, whereverIs } from "./breaking.ts"

const samePortfolios =
  "leaves portfolios unchanged when their ids are inserted again, and returns the stored ones in order"
const onePortfolio = "stores each portfolio once and returns it to all of ten concurrent inserts"

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
