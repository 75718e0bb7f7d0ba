import {
  type AnyKind,
  ApiKeyId,
  type Change,
  foundOf,
  type Portfolio,
  Records,
  requirementKind
} from "@solar-sites/core"
import { recordsConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"
import { committingEverywhere, oneByOne, storing } from "./StoreBreaking.ts"

/** The change of kinds with other declarations. */
const declaredAs = ({ writes, ...change }: Change, declared: Partial<AnyKind>): Change => ({
  ...change,
  writes: writes.map((write) => ({ ...write, kind: { ...write.kind, ...declared } }))
})

const wholeList = "changes no entry with a list of another revision, of a missing portfolio, or of another organisation"
const oneList = "commits one of ten concurrent changes of a list with its entries, as a whole"

notices(recordsConformance, Records, [
  {
    breakage: "stores a generated value again",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, declaredAs(change, { generated: [] }))
    }),
    noticedBy: ["fails, and stores nothing, when the digest of a new api key is taken in any organisation"]
  },
  {
    breakage: "ignores bounds",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, declaredAs(change, { bounds: [] }))
    }),
    noticedBy: [
      "lets at most 100 records of an organisation hold in liveApiKeys, among concurrent creations and changes",
      "lets at most 20 records of an organisation hold in webhooks, among concurrent creations and changes"
    ]
  },
  {
    breakage: "removes a record of any revision",
    replace: ({ commit }, database) => ({
      commit: (operation, organisationId, change) =>
        Effect.suspend(() => {
          const [write] = change.writes
          if (write?.after === null) {
            database.get(organisationId)?.apiKeys.delete(ApiKeyId.make(write.id))
            return Effect.succeed({ _tag: "Committed" as const, revisions: [null] })
          }
          return commit(operation, organisationId, change)
        })
    }),
    noticedBy: ["does nothing when a api key has another revision, is absent, or is there already"]
  },
  {
    breakage: "commits the first record of a change alone",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, { ...change, writes: change.writes.slice(0, 1) })
    }),
    noticedBy: ["commits one of several concurrent changes with the same new unique values, in any order, as a whole"]
  },
  {
    breakage: "loads computed members as they were written",
    replace: ({ load }, database) => ({
      load: (operation, organisationId, finds) =>
        Effect.map(load(operation, organisationId, finds), ({ answers }) =>
          foundOf(
            answers.map(({ find, stored }) => ({
              find,
              stored: stored.map(({ record, revision }) => {
                // The suite loads sites and portfolios, and ids of sites are no ids of portfolios.
                const { id } = record as Portfolio
                return { record: database.get(organisationId)?.portfolios.get(id) ?? record, revision }
              })
            }))
          )
        )
    }),
    noticedBy: ["computes members of a loaded record, and neither stores nor compares them"]
  },
  {
    breakage: "commits a list of requirements and its entries one by one",
    replace: oneByOne,
    noticedBy: [wholeList, oneList]
  },
  {
    breakage: "drops the portfolio of a requirement",
    replace: storing(requirementKind, () => ({ portfolioId: null })),
    noticedBy: ["stores a list of requirements with its entries, and changes, adds and removes entries with it"]
  },
  {
    breakage: "changes the requirement of this id in all organisations",
    replace: committingEverywhere(requirementKind),
    noticedBy: [wholeList]
  }
])
