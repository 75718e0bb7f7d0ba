import {
  DocumentRequirements,
  OrganisationRepository,
  PortfolioRepository,
  PortfoliosNotFound,
  RequirementRepository
} from "@solar-sites/core"
import { requirementRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"
import { everywhere } from "./withoutOrganisation.ts"

const whole = "stores the list with its order and replaces it as a whole"
const equal = "changes nothing when the list is equal, the version included"
const expected = "replaces only an expected version, 0 before the list is stored"
const missing = "refuses all missing portfolios first, and one of another organisation as missing"
const removed = "removes the requirements of a deleted portfolio and counts that as one change"
const apart = "keeps the lists of organisations apart, also with portfolios of the same ids"
const oneWins = "lets one of several concurrent replacements of the same expected version win"
const noneLost = "loses none of several concurrent replacements and mixes no two lists"
const gone = "keeps no requirement of a portfolio that is deleted meanwhile"
const absent = "refuses the list of an absent organisation"
const withOwner = "lets the list go with its organisation"

notices(requirementRepositoryConformance, RequirementRepository, [
  {
    breakage: "finds the list of any organisation",
    replace: ({ find }, database) => ({
      find: (owner) => {
        const [other] = [...database].find(([, { requirementLists }]) => requirementLists.size > 0) ?? [owner]
        return find(other)
      }
    }),
    noticedBy: [apart]
  },
  {
    breakage: "replaces the lists of all organisations",
    replace: ({ replace }, database) => ({ replace: everywhere(database)(replace) }),
    noticedBy: [apart]
  },
  {
    breakage: "adds to the list",
    replace: ({ find, replace }) => ({
      replace: (owner, list, options) =>
        Effect.flatMap(find(owner), ({ requirements }) => replace(owner, [...requirements, ...list], options))
    }),
    noticedBy: [whole]
  },
  {
    breakage: "sorts the list",
    replace: ({ replace }) => ({
      replace: (owner, list, options) =>
        replace(
          owner,
          list.toSorted((a, b) => a.documentType.localeCompare(b.documentType)),
          options
        )
    }),
    noticedBy: [
      whole,
      "computes coverage as its definition says, on every day (random records 1)",
      "computes coverage as its definition says, on every day (random records 2)"
    ]
  },
  {
    breakage: "answers another list than it stores",
    replace: ({ replace }) => ({
      replace: (...asked) =>
        Effect.map(replace(...asked), ({ version }) => new DocumentRequirements({ requirements: [], version }))
    }),
    noticedBy: [whole]
  },
  {
    breakage: "counts an equal list as a change",
    replace: ({ replace }) => ({
      replace: (owner, list, options) =>
        Effect.andThen(Effect.ignore(replace(owner, list.slice(1), options)), replace(owner, list, options))
    }),
    noticedBy: [equal]
  },
  {
    breakage: "judges no version",
    replace: ({ replace }) => ({ replace: (owner, list, { at }) => replace(owner, list, { at }) }),
    noticedBy: [expected, oneWins]
  },
  {
    breakage: "judges no version of an equal list",
    replace: ({ find, replace }) => ({
      replace: (owner, list, options) =>
        Effect.flatMap(find(owner), ({ requirements }) =>
          replace(owner, list, list.length === requirements.length ? { at: options.at } : options)
        )
    }),
    noticedBy: [expected]
  },
  {
    breakage: "judges the version before the portfolios",
    replace: ({ replace }) => ({
      replace: (owner, list, options) => Effect.andThen(replace(owner, [], options), replace(owner, list, options))
    }),
    noticedBy: [missing]
  },
  {
    breakage: "names the first missing portfolio alone",
    replace: ({ replace }) => ({
      replace: (owner, list, options) =>
        Effect.mapError(replace(owner, list, options), (failure) =>
          failure._tag === "PortfoliosNotFound"
            ? new PortfoliosNotFound({ portfolioIds: [failure.portfolioIds[0]] })
            : failure
        )
    }),
    noticedBy: [missing]
  },
  {
    breakage: "replaces in two steps",
    replace: ({ find, replace }) => ({
      replace: (owner, list, options) =>
        Effect.gen(function* () {
          const { version } = yield* find(owner)
          yield* Effect.yieldNow
          return yield* Effect.map(replace(owner, list, options), (stored) =>
            stored.version > version ? new DocumentRequirements({ ...stored, version: version + 1 }) : stored
          )
        })
    }),
    noticedBy: [noneLost]
  },
  {
    breakage: "stores a list without its organisation",
    replace: ({ replace }) => ({
      replace: (owner, list, options) =>
        Effect.catchTag(replace(owner, list, options), "OrganisationNotFound", () =>
          Effect.succeed(new DocumentRequirements({ requirements: list, version: 1 }))
        )
    }),
    noticedBy: [absent]
  }
])

notices(requirementRepositoryConformance, PortfolioRepository, [
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

notices(requirementRepositoryConformance, OrganisationRepository, [
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
