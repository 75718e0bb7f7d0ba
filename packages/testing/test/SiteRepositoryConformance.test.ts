import { Site, SiteRepository } from "@solar-sites/core"
import { siteRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices, whereverIs } from "./breaking.ts"

type Service = SiteRepository["Service"]

const hides = "hides a site from every other organisation"
const pages = "lists in ascending order of id, in pages of any size"

const storing =
  (change: (site: Site) => Partial<Site>) =>
  ({ insert }: Service): Partial<Service> => ({
    insert: (organisationId, site) => insert(organisationId, new Site({ ...site, ...change(site) }))
  })

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "ignores the organisation in findById",
    replace: ({ findById }, database) => ({
      findById: (owner, id) => findById(whereverIs(database, "sites", id) ?? owner, id)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in list with a siteId",
    replace: ({ list }, database) => ({
      list: (owner, conditions, page) =>
        list(whereverIs(database, "sites", conditions.siteId ?? "") ?? owner, conditions, page)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in update",
    replace: ({ update }, database) => ({
      update: (owner, id, ...rest) => update(whereverIs(database, "sites", id) ?? owner, id, ...rest)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in delete",
    replace: (intact, database) => ({
      delete: (owner, id, ...rest) => intact.delete(whereverIs(database, "sites", id) ?? owner, id, ...rest)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "lists the latest first",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ hasMore, items }) => ({ items: items.toReversed(), hasMore }))
    }),
    noticedBy: [pages]
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
    breakage: "knows of no further page",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ items }) => ({ items, hasMore: false }))
    }),
    noticedBy: [pages]
  },
  {
    breakage: "heeds one of two conditions",
    replace: ({ list }) => ({
      list: (owner, { portfolioId, siteId }, page) =>
        list(
          owner,
          siteId === undefined && portfolioId !== undefined ? { portfolioId } : siteId ? { siteId } : {},
          page
        )
    }),
    noticedBy: ["lists the sites for which both conditions hold"]
  },
  {
    breakage: "takes any portfolio for one that exists",
    replace: (_, database) => ({
      insert: (owner, site) =>
        Effect.sync(() => {
          database.get(owner)?.sites.set(site.id, site)
          return site
        })
    }),
    noticedBy: [
      "refuses a site in a portfolio that the organisation does not have",
      "refuses a site of an organisation that does not exist"
    ]
  },
  {
    breakage: "drops the phone of the site manager",
    replace: storing(({ siteManager }) => ({ siteManager: siteManager && { ...siteManager, phone: null } })),
    noticedBy: [
      "keeps every optional member, set or null",
      "keeps text exactly as it is",
      "sets the given members and keeps the others"
    ]
  },
  {
    breakage: "stores capacities with 15 digits",
    replace: storing(({ capacity }) => ({ capacity: Number(capacity.toPrecision(15)) })),
    noticedBy: ["keeps a capacity to its last digit, in every unit"]
  },
  {
    breakage: "stores coordinates with 6 decimals",
    replace: storing(({ latitude }) => ({ latitude: latitude && Number(latitude.toFixed(6)) })),
    noticedBy: ["keeps coordinates to their last digit"]
  },
  {
    breakage: "composes characters",
    replace: storing(({ address }) => ({ address: address?.normalize("NFKC") ?? null })),
    noticedBy: ["keeps text exactly as it is"]
  },
  {
    breakage: "cuts text after 200 units",
    replace: storing(({ siteName }) => ({ siteName: siteName.slice(0, 200) })),
    noticedBy: ["keeps the longest text, counted in code points"]
  },
  {
    breakage: "stores instants to the second",
    replace: storing(({ createdAt }) => ({ createdAt: DateTime.startOf(createdAt, "second") })),
    noticedBy: [
      "keeps instants to the millisecond",
      "finds an inserted site unchanged",
      "filters sites by each condition alone",
      "moves a site into a portfolio, on to another one and out again"
    ]
  }
])
