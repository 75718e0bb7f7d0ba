import { type AnyKind, type Change, type OrganisationId, type Records, Stale, siteKind } from "@solar-sites/core"
import { Effect } from "effect"
import type { Database } from "./breaking.ts"
import { declaring, lookingBefore, noticesRecords, staleBy } from "./RecordsBreaking.ts"

type Service = Records["Service"]

const taken = "does nothing when the externalId of a site is taken, and takes it in another organisation"
const givenUp = "takes the externalId of a site that another one gave up before, or gives up in the same change"
const oneOfTen = "commits one of ten concurrent changes that take the same externalId of a site"
const missing = "stores and changes no site when the portfolio that it refers to is missing or was removed"
const missingSite = "stores and changes no document when the site that it refers to is missing or was removed"
const leftBehind = "leaves no document behind when the site that it refers to is removed at the same time"

/** The values of external ids that sites of a change get. */
const externalIds = ({ writes }: Change): ReadonlyArray<string> =>
  writes.flatMap(({ after, kind }) => {
    const value: unknown = kind.name === "site" && after !== null ? Reflect.get(after, "externalId") : null
    return value === null ? [] : [String(value)]
  })

const sitesOf = (organisations: Database) => [...organisations.values()].flatMap(({ sites }) => [...sites.values()])

const withoutUnique = declaring(() => ({ unique: [] }))
const withoutReferences = declaring(() => ({ references: [] }))

const without =
  (member: "unique" | "references") =>
  (change: Change): Change => ({
    ...change,
    writes: change.writes.map((write) => ({ ...write, kind: { ...write.kind, [member]: [] } }))
  })

/** Whether a load of one find has an answer. */
const isThere = ({ load }: Service, organisationId: OrganisationId, kind: AnyKind, by: string, value: string) =>
  Effect.map(load("Records", organisationId, [{ kind, by, values: [value] }]), ({ answers }) =>
    answers.some(({ stored }) => stored.length > 0)
  )

noticesRecords([
  {
    breakage: "stores a unique value twice",
    replace: withoutUnique,
    noticedBy: [taken, oneOfTen]
  },
  {
    breakage: "stores a unique value twice in changes",
    replace: declaring((kind, { before }) => ({ unique: before === null ? kind.unique : [] })),
    noticedBy: [taken]
  },
  {
    breakage: "stores a unique value twice when one change has it twice",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        commit(operation, organisationId, change.writes.length === 2 ? without("unique")(change) : change)
    }),
    noticedBy: [taken]
  },
  {
    breakage: "looks for a unique value a moment before it is stored",
    replace: lookingBefore((service, organisationId, change) => {
      const [value] = externalIds(change)
      if (value === undefined) return Effect.succeed(null)
      return Effect.map(isThere(service, organisationId, siteKind, "externalId", value), (is) =>
        is ? staleBy("externalId") : null
      )
    }, without("unique")),
    noticedBy: [oneOfTen]
  },
  {
    breakage: "has a unique value once in all organisations",
    replace: ({ commit }, organisations) => ({
      commit: (operation, organisationId, change) =>
        Effect.suspend(() => {
          const others = sitesOf(organisations).filter((site) => site.organisationId !== organisationId)
          const values = externalIds(change)
          return others.some(({ externalId }) => externalId !== null && values.includes(externalId))
            ? Effect.succeed(staleBy("externalId"))
            : commit(operation, organisationId, change)
        })
    }),
    noticedBy: [taken]
  },
  {
    breakage: "keeps the unique value of a removed record",
    replace: ({ commit }) => {
      const known = new Map<string, string>()
      return {
        commit: (operation, organisationId, change) =>
          Effect.suspend(() => {
            const isKept = change.writes.some(({ after, id }) => {
              const value = after === null ? null : Reflect.get(after, "externalId")
              const owner = known.get(String(value))
              if (typeof value === "string") known.set(value, owner ?? id)
              return owner !== undefined && owner !== id
            })
            return isKept ? Effect.succeed(staleBy("externalId")) : commit(operation, organisationId, change)
          })
      }
    },
    noticedBy: [givenUp]
  },
  {
    breakage: "looks for unique values before it removes records of the same change",
    replace: ({ commit }, organisations) => ({
      commit: (operation, organisationId, change) =>
        Effect.suspend(() => {
          const values = externalIds(change)
          const added = new Set<string>(change.writes.flatMap(({ after, id }) => (after === null ? [] : [id])))
          const isTaken = [...(organisations.get(organisationId)?.sites.values() ?? [])].some(
            ({ externalId, id }) => externalId !== null && values.includes(externalId) && !added.has(id)
          )
          return isTaken ? Effect.succeed(staleBy("externalId")) : commit(operation, organisationId, change)
        })
    }),
    noticedBy: [givenUp]
  },
  {
    breakage: "stores references to records that are missing",
    replace: withoutReferences,
    noticedBy: [missing, missingSite]
  },
  {
    breakage: "stores references to records that are missing in changes",
    replace: declaring((kind, { before }) => ({ references: before === null ? kind.references : [] })),
    noticedBy: [missing, missingSite]
  },
  {
    breakage: "stores references to records of other organisations",
    replace: ({ commit }, organisations) => ({
      commit: (operation, organisationId, change) => {
        const sites = new Set<string>(sitesOf(organisations).map(({ id }) => id))
        const isForeign = change.writes.some(({ after }) => after && sites.has(String(Reflect.get(after, "siteId"))))
        return commit(operation, organisationId, isForeign ? without("references")(change) : change)
      }
    }),
    noticedBy: [missingSite]
  },
  {
    breakage: "looks for the record that is referred to a moment before",
    replace: lookingBefore((service, organisationId, { writes }) => {
      const [write] = writes
      if (write?.kind.name !== "document" || write.after === null) return Effect.succeed(null)
      const site = String(Reflect.get(write.after, "siteId"))
      return Effect.map(isThere(service, organisationId, siteKind, "id", site), (is) => (is ? null : staleBy("siteId")))
    }, without("references")),
    noticedBy: [leftBehind]
  },
  {
    breakage: "removes records that others refer to",
    replace: ({ commit }, organisations) => ({
      commit: (operation, organisationId, change) =>
        Effect.suspend(() => {
          const owner = organisations.get(organisationId)
          const [write] = change.writes
          const site = [...(owner?.sites.keys() ?? [])].find((id) => id === write?.id)
          if (site === undefined || write?.after !== null || change.writes.length > 1) {
            return commit(operation, organisationId, change)
          }
          owner?.sites.delete(site)
          return Effect.succeed({ _tag: "Committed" as const, revisions: [null] })
        })
    }),
    noticedBy: ["removes no site that a document refers to after the change"]
  },
  {
    breakage: "stores references to records that the same change removes",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        Effect.gen(function* () {
          const isRemoval = change.writes.some(({ after, kind }) => after === null && kind.name === "site")
          if (!isRemoval || change.writes.length === 1) return yield* commit(operation, organisationId, change)
          const writes = change.writes.toSorted(({ kind }, other) => kind.name.localeCompare(other.kind.name))
          const outcomes = yield* Effect.forEach(writes, (write) =>
            commit(operation, organisationId, { ...change, writes: [write] })
          )
          return outcomes.find((outcome) => outcome instanceof Stale) ?? outcomes[0] ?? staleBy("nothing")
        })
    }),
    noticedBy: ["removes no site that a document refers to after the change"]
  },
  {
    breakage: "stores records of an organisation that was removed",
    replace: ({ commit }) => ({
      commit: (operation, organisationId, change) =>
        Effect.map(commit(operation, organisationId, change), (outcome) =>
          outcome instanceof Stale && outcome.conflict.startsWith("organisation")
            ? { _tag: "Committed" as const, revisions: change.writes.map(() => null) }
            : outcome
        )
    }),
    noticedBy: ["stores no site in an organisation that is missing or was removed"]
  }
])
