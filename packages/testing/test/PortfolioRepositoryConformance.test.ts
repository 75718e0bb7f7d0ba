import {
  checkedVersion,
  Portfolio,
  PortfolioRepository,
  portfolioKind,
  type Reach,
  Records,
  Site
} from "@solar-sites/core"
import { portfolioRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { type Database, notices, whereverIs } from "./breaking.ts"
import { moving } from "./PortfolioBreaking.ts"
import { loadingAs, loadingEverywhere } from "./StoreBreaking.ts"

const portfolios = "moves sites, and deletes and lists portfolios as core does, in organisations with the same ids"
const portfoliosAtOnce = "moves sites and deletes portfolios at once as in some order"

/** Lets one method work on the organisation that the portfolio is really in. */
const everywhere =
  (database: Database) =>
  <Owner extends Reach>(owner: Owner, id: string): Owner | Portfolio["organisationId"] =>
    whereverIs(database, "portfolios", id) ?? owner

notices(portfolioRepositoryConformance, Records, [
  {
    breakage: "ignores the organisation in load",
    replace: loadingEverywhere,
    noticedBy: [portfolios]
  },
  {
    breakage: "counts no sites",
    replace: loadingAs(portfolioKind, (portfolio) => new Portfolio({ ...portfolio, siteCount: 0 })),
    noticedBy: [portfolios]
  },
  {
    breakage: "sums capacities in floating point",
    replace: loadingAs(portfolioKind, (portfolio, database) => {
      const sites = [...(database.get(portfolio.organisationId)?.sites.values() ?? [])]
      const members = sites.filter(({ portfolioId }) => portfolioId === portfolio.id)
      const capacityKw = members.reduce((sum, site) => sum + site.capacityKw, 0)
      return new Portfolio({ ...portfolio, capacityKw })
    }),
    noticedBy: ["sums capacities as decimals"]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "lists the portfolios of all organisations",
    replace: (_, database) => ({
      list: (_, _conditions, { limit }) =>
        Effect.sync(() => {
          const all = [...database.values()].flatMap(({ portfolios }) => [...portfolios.values()])
          return { items: all.slice(0, limit), hasMore: all.length > limit }
        })
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "lists the sites of all organisations",
    replace: ({ listWithSites }, database) => ({
      listWithSites: (owner, piece) =>
        listWithSites(piece.after === null ? owner : everywhere(database)(owner, piece.after.portfolioId), piece)
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "ignores the organisation in delete",
    replace: (intact, database) => ({
      delete: (owner, id, ...rest) => intact.delete(everywhere(database)(owner, id), id, ...rest)
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "ignores the organisation when it removes sites",
    replace: (intact, database) =>
      moving(
        "outOf",
        (move) => (owner, given, options) => move(everywhere(database)(owner, given.portfolioId), given, options)
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "lists the latest first",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ hasMore, items }) => ({ items: items.toReversed(), hasMore }))
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "takes every full page for one that is followed",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ items }) => ({ items, hasMore: items.length === page.limit }))
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "deletes any version",
    replace: (intact) => ({ delete: (owner, id, { at, origin }) => intact.delete(owner, id, { at, origin }) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "leaves the sites of a deleted portfolio where they were",
    replace: (_, database) => ({
      delete: (owner, id, { expectedVersions }) =>
        Effect.sync(() => {
          const checked = checkedVersion(expectedVersions, database.get(owner)?.portfolios.get(id))
          if (checked?.isExpected) database.get(owner)?.portfolios.delete(id)
          return checked
        })
    }),
    noticedBy: [portfolios, portfoliosAtOnce]
  },
  {
    breakage: "releases the sites of a deleted portfolio without counting it",
    replace: (intact, database) => ({
      delete: (owner, id, options) =>
        Effect.tap(intact.delete(owner, id, options), () =>
          Effect.sync(() => {
            for (const [siteId, site] of database.get(owner)?.sites ?? []) {
              if (site.updatedAt !== options.at) continue
              database.get(owner)?.sites.set(siteId, new Site({ ...site, version: site.version - 1 }))
            }
          })
        )
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "deletes absent portfolios",
    replace: (intact) => ({
      delete: (...given) => Effect.map(intact.delete(...given), (found) => found ?? { version: 1, isExpected: true })
    }),
    noticedBy: [portfolios]
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
    noticedBy: [portfolios]
  },
  {
    breakage: "repeats a continued portfolio",
    replace: ({ list, listWithSites }) => ({
      listWithSites: Effect.fnUntraced(function* (owner, piece) {
        const { hasMore, items } = yield* listWithSites(owner, piece)
        const all = yield* list(owner, {}, { after: null, limit: 1_000 })
        const portfolioOf = (id: string) => all.items.find((portfolio) => portfolio.id === id) ?? null
        return { items: items.map((slice) => ({ ...slice, portfolio: portfolioOf(slice.portfolioId) })), hasMore }
      })
    }),
    noticedBy: [portfolios]
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
    noticedBy: [portfolios]
  },
  {
    breakage: "continues after the whole portfolio for any last site",
    replace: ({ listWithSites }) => ({
      listWithSites: (owner, { after, limit }) =>
        listWithSites(owner, { after: after && { ...after, siteId: null }, limit })
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "knows of no further piece",
    replace: ({ listWithSites }) => ({
      listWithSites: (owner, piece) =>
        Effect.map(listWithSites(owner, piece), ({ items }) => ({ items, hasMore: false }))
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "shows a portfolio again that was begun and then emptied",
    replace: ({ list, listWithSites }) => ({
      listWithSites: Effect.fnUntraced(function* (owner, piece) {
        const page = yield* listWithSites(owner, piece)
        const all = yield* list(owner, {}, { after: null, limit: 1_000 })
        const begun = all.items.find(({ id }) => id === piece.after?.portfolioId)
        const isShown = page.items.some(({ portfolioId }) => portfolioId === begun?.id)
        if (!begun || begun.siteCount > 0 || piece.after?.siteId === null || isShown) return page
        return { ...page, items: [{ portfolioId: begun.id, portfolio: begun, sites: [] }, ...page.items] }
      })
    }),
    noticedBy: [portfolios]
  }
])
