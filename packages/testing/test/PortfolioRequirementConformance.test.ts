import { OrganisationRepository, PortfolioRepository } from "@solar-sites/core"
import { organisationDeletionConformance, portfolioRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"
import { everywhere } from "./withoutOrganisation.ts"

const portfolios = "moves sites, and deletes and lists portfolios as core does, in organisations with the same ids"
const portfoliosAtOnce = "moves sites and deletes portfolios at once as in some order"

const withOwner = "deletes no organisation that a site, a portfolio, a key or a webhook belongs to"

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "removes the requirements of this portfolio from the lists of all organisations",
    replace: (intact, database) => ({ delete: everywhere(database)(intact.delete) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "keeps the requirements of a deleted portfolio",
    replace: (intact, database) => ({
      delete: (owner, ...asked) =>
        Effect.suspend(() => {
          const kept = database.get(owner)
          const requirements = new Map(kept?.requirements)
          return Effect.tap(intact.delete(owner, ...asked), () =>
            Effect.sync(() => {
              for (const [id, record] of requirements) kept?.requirements.set(id, record)
            })
          )
        })
    }),
    noticedBy: [portfolios, portfoliosAtOnce]
  },
  {
    breakage: "counts every deletion of a portfolio as a change of the list",
    replace: (intact, database) => ({
      delete: (owner, ...asked) =>
        Effect.tap(intact.delete(owner, ...asked), () =>
          Effect.sync(() => {
            const lists = database.get(owner)?.requirementLists
            const list = lists?.get(owner)
            if (list !== undefined) lists?.set(owner, { ...list, version: list.version + 1 })
          })
        )
    }),
    noticedBy: [portfolios]
  }
])

notices(organisationDeletionConformance, OrganisationRepository, [
  {
    breakage: "deletes no organisation that has a list",
    replace: (intact, database) => ({
      delete: (owner) =>
        Effect.suspend(() =>
          database.get(owner)?.requirementLists.size === 0 ? intact.delete(owner) : Effect.succeed(false)
        )
    }),
    noticedBy: [withOwner]
  }
])
