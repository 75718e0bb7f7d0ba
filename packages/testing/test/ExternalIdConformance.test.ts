import { ExternalIdTaken, Portfolio, PortfolioRepository, SiteRepository } from "@solar-sites/core"
import { portfolioRepositoryConformance, siteRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"

const findsIds = "finds the ids of sites by their external ids, in the organisation alone"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "finds ids by external ids in another organisation",
    replace: ({ idsByExternalId }, database) => ({
      idsByExternalId: (owner, externalIds) =>
        Effect.map(
          Effect.forEach([...database.keys(), owner], (each) => idsByExternalId(each, externalIds)),
          (found) => new Map(found.flatMap((each) => [...each]))
        )
    }),
    noticedBy: [findsIds]
  },
  {
    breakage: "finds ids by external ids without letter case",
    replace: ({ idsByExternalId }) => ({
      idsByExternalId: (owner, externalIds) =>
        idsByExternalId(owner, [...externalIds, ...externalIds.map((text) => text.toUpperCase())])
    }),
    noticedBy: [findsIds]
  }
])

const refusesAll = "refuses external ids that other portfolios have, all of them, and stores none"

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "names the first taken external id alone",
    replace: ({ insertMany }) => ({
      insertMany: (owner, portfolios) =>
        Effect.catchTag(insertMany(owner, portfolios), "ExternalIdTaken", ({ conflicts: [first] }) =>
          Effect.fail(new ExternalIdTaken({ conflicts: [first] }))
        )
    }),
    noticedBy: [refusesAll]
  },
  {
    breakage: "stores the portfolios whose external ids are free",
    replace: ({ insertMany }) => ({
      insertMany: (owner, portfolios) =>
        Effect.tapError(insertMany(owner, portfolios), (refusal) =>
          refusal._tag === "ExternalIdTaken"
            ? Effect.ignore(
                insertMany(
                  owner,
                  portfolios.filter(({ externalId }) => !refusal.conflicts.some((one) => one.externalId === externalId))
                )
              )
            : Effect.void
        )
    }),
    noticedBy: [refusesAll]
  },
  {
    breakage: "stores any external id of a portfolio",
    replace: ({ insertMany }, database) => ({
      insertMany: (owner, portfolios) => {
        const fresh = portfolios.filter(({ id }) => !database.get(owner)?.portfolios.has(id))
        const nameless = portfolios.map((portfolio) => new Portfolio({ ...portfolio, externalId: null }))
        return Effect.map(insertMany(owner, nameless), (stored) => {
          for (const portfolio of fresh) database.get(owner)?.portfolios.set(portfolio.id, portfolio)
          return stored.map((one) => fresh.find(({ id }) => id === one.id) ?? one)
        })
      }
    }),
    noticedBy: [refusesAll, "gives external ids to one of several concurrent batches, in any order"]
  },
  {
    breakage: "clears the external id when it is absent",
    replace: ({ update }) => ({
      update: (owner, id, { externalId = null, ...changes }, options) =>
        update(owner, id, { ...changes, externalId }, options)
    }),
    noticedBy: ["sets, keeps, clears and reuses an external id"]
  },
  {
    breakage: "looks at the external id of a stored portfolio that is inserted again",
    replace: ({ insertMany }, database) => ({
      insertMany: (owner, portfolios) => {
        const stored = [...(database.get(owner)?.portfolios.values() ?? [])]
        const conflicts = portfolios.flatMap(({ externalId, id }) => {
          const taken = stored.find((other) => other.externalId === externalId && other.id !== id)
          return externalId === null || taken === undefined ? [] : [{ externalId, takenBy: taken.id }]
        })
        const [first, ...others] = conflicts
        return first === undefined
          ? insertMany(owner, portfolios)
          : Effect.fail(new ExternalIdTaken({ conflicts: [first, ...others] }))
      }
    }),
    noticedBy: ["keeps a portfolio that is inserted again, with any external id"]
  }
])
