import { Portfolio, PortfolioNotFound, PortfolioRepository, Site } from "@solar-sites/core"
import { portfolioRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { type Database, notices, whereverIs } from "./breaking.ts"

type Service = PortfolioRepository["Service"]

const hides = "hides a portfolio from every other organisation"
const pages = "lists in ascending order of id, in pages of any size"
const listing = "lists portfolios with their sites in order, in pieces of any size that add up to everything"
const exact = "computes siteCount and the exact capacityKw over mixed units, wherever a portfolio is read"

/** Lets one method work on the organisation that the portfolio is really in. */
const everywhere = (database: Database) => (owner: Portfolio["organisationId"], id: string) =>
  whereverIs(database, "portfolios", id) ?? owner

const reading =
  (change: (portfolio: Portfolio) => Partial<Portfolio>) =>
  ({ findById }: Service): Partial<Service> => ({
    findById: (owner, id) =>
      Effect.map(
        findById(owner, id),
        Option.map((portfolio) => new Portfolio({ ...portfolio, ...change(portfolio) }))
      )
  })

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "ignores the organisation in findById",
    replace: ({ findById }, database) => ({ findById: (owner, id) => findById(everywhere(database)(owner, id), id) }),
    noticedBy: [hides]
  },
  {
    breakage: "lists the portfolios of all organisations",
    replace: (_, database) => ({
      list: (_, _conditions, { limit }) =>
        Effect.sync(() => {
          const all = [...database.values()].flatMap(({ portfolios }) => [...portfolios.values()])
          return { items: all.slice(0, limit), hasMore: all.length > limit }
        })
    }),
    noticedBy: [hides, pages]
  },
  {
    breakage: "lists the sites of all organisations",
    replace: ({ listWithSites }, database) => ({
      listWithSites: (owner, piece) =>
        listWithSites(piece.after === null ? owner : everywhere(database)(owner, piece.after.portfolioId), piece)
    }),
    noticedBy: ["lists nothing of another organisation, whatever the position"]
  },
  {
    breakage: "ignores the organisation in update",
    replace: ({ update }, database) => ({
      update: (owner, id, ...rest) => update(everywhere(database)(owner, id), id, ...rest)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in delete",
    replace: (intact, database) => ({
      delete: (owner, id, ...rest) => intact.delete(everywhere(database)(owner, id), id, ...rest)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in removeSites",
    replace: ({ removeSites }, database) => ({
      removeSites: (owner, id, ...rest) => removeSites(everywhere(database)(owner, id), id, ...rest)
    }),
    noticedBy: [hides, "refuses an absent portfolio before anything about the sites"]
  },
  {
    breakage: "lists the latest first",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ hasMore, items }) => ({ items: items.toReversed(), hasMore }))
    }),
    noticedBy: [pages, "finds inserted portfolios unchanged"]
  },
  {
    breakage: "takes every full page for one that is followed",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ items }) => ({ items, hasMore: items.length === page.limit }))
    }),
    noticedBy: [pages]
  },
  {
    breakage: "keeps the name it was first given",
    replace: ({ update }) => ({ update: (owner, id, _, options) => update(owner, id, {}, options) }),
    noticedBy: [
      "renames, increments the version and keeps the rest",
      "loses none of ten concurrent renames, and lets one of two deletes succeed"
    ]
  },
  {
    breakage: "counts a rename to the same name",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) => {
        const { name = "" } = changes
        return Effect.andThen(update(owner, id, { name: `${name}?` }, options), update(owner, id, changes, options))
      }
    }),
    noticedBy: ["renames, increments the version and keeps the rest"]
  },
  {
    breakage: "updates and deletes any version",
    replace: (intact) => ({
      update: (owner, id, changes, { at }) => intact.update(owner, id, changes, { at }),
      delete: (owner, id, { at }) => intact.delete(owner, id, { at })
    }),
    noticedBy: ["updates and deletes only an expected version"]
  },
  {
    breakage: "judges the version of a portfolio before its absence",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) =>
        options.expectedVersions === undefined
          ? update(owner, id, changes, options)
          : Effect.catchTag(update(owner, id, changes, options), "PortfolioNotFound", () => Effect.die("stale"))
    }),
    noticedBy: ["finds, lists, updates and deletes nothing where there is nothing"]
  },
  {
    breakage: "leaves the sites of a deleted portfolio where they were",
    replace: (_, database) => ({
      delete: (owner, id) =>
        Effect.suspend(() => {
          const isThere = database.get(owner)?.portfolios.delete(id) ?? false
          return isThere ? Effect.void : Effect.fail(new PortfolioNotFound({ portfolioId: id }))
        })
    }),
    noticedBy: [
      "releases its sites when a portfolio is deleted",
      "leaves no site in a portfolio that is deleted while sites are added"
    ]
  },
  {
    breakage: "releases the sites of a deleted portfolio without counting it",
    replace: (intact, database) => ({
      delete: (owner, id, options) =>
        Effect.map(intact.delete(owner, id, options), () => {
          for (const [siteId, site] of database.get(owner)?.sites ?? []) {
            if (site.updatedAt !== options.at) continue
            database.get(owner)?.sites.set(siteId, new Site({ ...site, version: site.version - 1 }))
          }
        })
    }),
    noticedBy: ["releases its sites when a portfolio is deleted"]
  },
  {
    breakage: "deletes absent portfolios",
    replace: (intact) => ({
      delete: (...args) => Effect.catchTag(intact.delete(...args), "PortfolioNotFound", () => Effect.void)
    }),
    noticedBy: ["releases its sites when a portfolio is deleted", hides]
  },
  {
    breakage: "counts no sites",
    replace: reading(() => ({ siteCount: 0 })),
    noticedBy: [exact, "moves sites in and answers them in the order asked for"]
  },
  {
    breakage: "sums capacities in floating point",
    replace: (intact, database) => ({
      findById: (owner, id) => {
        const members = [...(database.get(owner)?.sites.values() ?? [])].filter((site) => site.portfolioId === id)
        const capacityKw = members.reduce((sum, site) => sum + site.capacityKw, 0)
        return reading(() => ({ capacityKw }))(intact).findById?.(owner, id) ?? intact.findById(owner, id)
      }
    }),
    noticedBy: ["sums capacities as decimals"]
  },
  {
    breakage: "counts only the sites of a slice",
    replace: ({ listWithSites }) => ({
      listWithSites: (owner, piece) =>
        Effect.map(listWithSites(owner, piece), ({ hasMore, items }) => ({
          items: items.map(({ portfolio, portfolioId, sites }) => ({
            portfolioId,
            portfolio: portfolio && new Portfolio({ ...portfolio, siteCount: sites.length }),
            sites
          })),
          hasMore
        }))
    }),
    noticedBy: [exact, listing]
  },
  {
    breakage: "repeats a continued portfolio",
    replace: ({ findById, listWithSites }) => ({
      listWithSites: Effect.fnUntraced(function* (owner, piece) {
        const { hasMore, items } = yield* listWithSites(owner, piece)
        const told = yield* Effect.forEach(items, (slice) =>
          Effect.map(findById(owner, slice.portfolioId), (found) => ({ ...slice, portfolio: Option.getOrNull(found) }))
        )
        return { items: told, hasMore }
      })
    }),
    noticedBy: [listing, "continues after any site and after any whole portfolio"]
  },
  {
    breakage: "leaves portfolios without sites out of the listing",
    replace: ({ listWithSites }) => ({
      listWithSites: (owner, piece) =>
        Effect.map(listWithSites(owner, piece), ({ hasMore, items }) => ({
          items: items.filter(({ sites }) => sites.length > 0),
          hasMore
        }))
    }),
    noticedBy: [listing]
  },
  {
    breakage: "continues after the whole portfolio for any last site",
    replace: ({ listWithSites }) => ({
      listWithSites: (owner, { after, limit }) =>
        listWithSites(owner, { after: after && { ...after, siteId: null }, limit })
    }),
    noticedBy: [listing, "continues after any site and after any whole portfolio"]
  },
  {
    breakage: "knows of no further piece",
    replace: ({ listWithSites }) => ({
      listWithSites: (owner, piece) =>
        Effect.map(listWithSites(owner, piece), ({ items }) => ({ items, hasMore: false }))
    }),
    noticedBy: [listing]
  },
  {
    breakage: "shows a portfolio again that was begun and then emptied",
    replace: ({ findById, listWithSites }) => ({
      listWithSites: Effect.fnUntraced(function* (owner, piece) {
        const page = yield* listWithSites(owner, piece)
        const begun = piece.after && Option.getOrNull(yield* findById(owner, piece.after.portfolioId))
        const isShown = page.items.some(({ portfolioId }) => portfolioId === begun?.id)
        if (!begun || begun.siteCount > 0 || piece.after?.siteId === null || isShown) return page
        return { ...page, items: [{ portfolioId: begun.id, portfolio: begun, sites: [] }, ...page.items] }
      })
    }),
    noticedBy: ["continues after a position whose site or portfolio was deleted"]
  }
])
