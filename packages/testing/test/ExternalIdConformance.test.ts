import { ExternalIdTaken, Portfolio, PortfolioRepository, Site, SiteRepository } from "@solar-sites/core"
import { portfolioRepositoryConformance, siteRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./breaking.ts"

const refusesTaken = "refuses an external id that another site of the organisation has, and names that site"
const findsIds = "finds the ids of sites by their external ids, in the organisation alone"
const oneInsert = "gives an external id to one of several concurrent inserts, in any portfolio"
const oneChange = "gives an external id to one of several concurrent updates and inserts"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "stores any external id",
    replace: ({ insert }, database) => ({
      insert: (owner, site) =>
        Effect.map(insert(owner, new Site({ ...site, externalId: null })), (stored) => {
          if (stored.version !== site.version || stored.siteName !== site.siteName) return stored
          const named = new Site({ ...stored, externalId: site.externalId })
          database.get(owner)?.sites.set(site.id, named)
          return named
        })
    }),
    noticedBy: [refusesTaken, oneInsert, oneChange]
  },
  {
    breakage: "names the site that was to be stored",
    replace: ({ insert }) => ({
      insert: (owner, site) =>
        Effect.catchTag(insert(owner, site), "ExternalIdTaken", () =>
          Effect.fail(new ExternalIdTaken({ conflicts: [{ externalId: site.externalId ?? "", takenBy: site.id }] }))
        )
    }),
    noticedBy: [refusesTaken, oneInsert]
  },
  {
    breakage: "compares external ids without letter case and white space",
    replace: ({ insert }, database) => ({
      insert: (owner, site) => {
        const folded = (text: string | null) => text?.trim().toLowerCase()
        const others = [...(database.get(owner)?.sites.values() ?? [])]
        const taken = others.find(({ externalId }) => folded(externalId) === folded(site.externalId))
        if (taken === undefined || site.externalId === null || taken.id === site.id) return insert(owner, site)
        return Effect.fail(new ExternalIdTaken({ conflicts: [{ externalId: site.externalId, takenBy: taken.id }] }))
      }
    }),
    noticedBy: ["tells external ids apart by letter case and white space, and allows any number of sites without one"]
  },
  {
    breakage: "looks for external ids in all organisations",
    replace: ({ insert }, database) => ({
      insert: (owner, site) => {
        const all = [...database.values()].flatMap(({ sites }) => [...sites.values()])
        const taken = all.find(({ externalId, id }) => externalId === site.externalId && id !== site.id)
        if (taken === undefined || site.externalId === null) return insert(owner, site)
        return Effect.fail(new ExternalIdTaken({ conflicts: [{ externalId: site.externalId, takenBy: taken.id }] }))
      }
    }),
    noticedBy: ["tells external ids apart by organisation, and from those of portfolios"]
  },
  {
    breakage: "looks for the external id a moment before it stores it",
    replace: ({ insert, list, update }) => ({
      update: Effect.fnUntraced(function* (owner, id, changes, options) {
        const { externalId = null } = changes
        const { items } = yield* list(owner, {}, { after: null, limit: 100 })
        const taken = items.find((site) => site.externalId === externalId && site.id !== id)
        if (taken !== undefined && externalId !== null) return yield* update(owner, id, changes, options)
        yield* Effect.yieldNow
        return yield* Effect.catchTag(update(owner, id, changes, options), "ExternalIdTaken", () =>
          update(owner, id, { ...changes, externalId: null }, options)
        )
      }),
      insert
    }),
    noticedBy: [oneChange]
  },
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
  },
  {
    breakage: "never frees an external id",
    replace: ({ insert, update }, database) => {
      const used = new Map<string, Site["id"]>()
      return {
        insert: (owner, site) => {
          const key = `${owner} ${site.externalId}`
          const takenBy = used.get(key) ?? site.id
          if (site.externalId === null || database.get(owner)?.sites.has(site.id)) return insert(owner, site)
          if (takenBy !== site.id) {
            return Effect.fail(new ExternalIdTaken({ conflicts: [{ externalId: site.externalId, takenBy }] }))
          }
          return Effect.tap(insert(owner, site), () => Effect.sync(() => used.set(key, site.id)))
        },
        update
      }
    },
    noticedBy: ["frees an external id when its site gives it up or is deleted"]
  },
  {
    breakage: "looks at the external id of a stored site that is inserted again",
    replace: ({ insert, list }) => ({
      insert: Effect.fnUntraced(function* (owner, site: Site) {
        const { items } = yield* list(owner, {}, { after: null, limit: 100 })
        const taken = items.find(({ externalId, id }) => externalId === site.externalId && id !== site.id)
        if (taken === undefined || site.externalId === null) return yield* insert(owner, site)
        return yield* new ExternalIdTaken({ conflicts: [{ externalId: site.externalId, takenBy: taken.id }] })
      })
    }),
    noticedBy: ["returns a stored site that is inserted again, with any external id"]
  },
  {
    breakage: "judges the external id before portfolio and version",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) => {
        const { externalId } = changes
        if (externalId === undefined) return update(owner, id, changes, options)
        return Effect.andThen(
          update(owner, id, { externalId }, { at: options.at }),
          update(owner, id, changes, options)
        )
      }
    }),
    noticedBy: ["refuses an absent portfolio and a stale version before a taken external id"]
  },
  {
    breakage: "adds attributes to those that are stored",
    replace: ({ findById, update }) => ({
      update: Effect.fnUntraced(function* (owner, id, changes, options) {
        const stored = Option.getOrNull(yield* findById(owner, id))
        const attributes = changes.attributes && { ...stored?.attributes, ...changes.attributes }
        return yield* update(owner, id, attributes === undefined ? changes : { ...changes, attributes }, options)
      })
    }),
    noticedBy: ["takes attributes with the same values for equal in any order"]
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
