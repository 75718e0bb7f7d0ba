import { OrganisationRepository, PortfolioRepository } from "@solar-sites/core"
import { portfolioRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"
import { everywhere } from "./withoutOrganisation.ts"

const removed = "removes the requirements of a deleted portfolio and counts that as one change"
const apart = "keeps the lists of organisations apart, also with portfolios of the same ids"
const gone = "keeps no requirement of a portfolio that is deleted meanwhile"
const withOwner = "lets the list go with its organisation"

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "removes the requirements of this portfolio from the lists of all organisations",
    replace: (intact, database) => ({ delete: everywhere(database)(intact.delete) }),
    noticedBy: [apart]
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
    noticedBy: [removed, gone]
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
    noticedBy: [removed]
  }
])

notices(portfolioRepositoryConformance, OrganisationRepository, [
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
