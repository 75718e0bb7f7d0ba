import { Records, SiteRepository, siteKind } from "@solar-sites/core"
import { siteRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices, whereverIs } from "./breaking.ts"
import { loadingEverywhere, storing } from "./StoreBreaking.ts"

const sites = "saves, deletes and lists sites as core does, in organisations with the same ids"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "ignores the organisation in list with a siteId",
    replace: ({ list }, database) => ({
      list: (owner, conditions, page) =>
        list(whereverIs(database, "sites", conditions.siteId ?? "") ?? owner, conditions, page)
    }),
    noticedBy: [sites]
  },
  {
    breakage: "ignores the organisation in delete",
    replace: (intact, database) => ({
      delete: (owner, id, ...rest) => intact.delete(whereverIs(database, "sites", id) ?? owner, id, ...rest)
    }),
    noticedBy: [sites]
  },
  {
    breakage: "lists the latest first",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ hasMore, items }) => ({ items: items.toReversed(), hasMore }))
    }),
    noticedBy: [sites]
  },
  {
    breakage: "takes every full page for one that is followed",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ items }) => ({ items, hasMore: items.length === page.limit }))
    }),
    noticedBy: [sites]
  },
  {
    breakage: "knows of no further page",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ items }) => ({ items, hasMore: false }))
    }),
    noticedBy: [sites]
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
    noticedBy: ["finds and sorts sites as core does (random records 1)"]
  }
])

notices(siteRepositoryConformance, Records, [
  {
    breakage: "ignores the organisation in load",
    replace: loadingEverywhere,
    noticedBy: [sites]
  },
  {
    breakage: "drops the phone of the site manager",
    replace: storing(siteKind, ({ siteManager }) => ({ siteManager: siteManager && { ...siteManager, phone: null } })),
    noticedBy: ["keeps every optional member, set or null", "keeps text exactly as it is"]
  },
  {
    breakage: "stores capacities with 15 digits",
    replace: storing(siteKind, ({ capacity }) => ({ capacity: Number(capacity.toPrecision(15)) })),
    noticedBy: ["keeps a capacity to its last digit, in every unit"]
  },
  {
    breakage: "stores coordinates with 6 decimals",
    replace: storing(siteKind, ({ latitude }) => ({ latitude: latitude && Number(latitude.toFixed(6)) })),
    noticedBy: ["keeps coordinates to their last digit"]
  },
  {
    breakage: "composes characters",
    replace: storing(siteKind, ({ address }) => ({ address: address?.normalize("NFKC") ?? null })),
    noticedBy: ["keeps text exactly as it is"]
  },
  {
    breakage: "trims addresses",
    replace: storing(siteKind, ({ address }) => ({ address: address?.trim() ?? null })),
    noticedBy: ["keeps text exactly as it is"]
  },
  {
    breakage: "cuts text after 200 units",
    replace: storing(siteKind, ({ siteName }) => ({ siteName: siteName.slice(0, 200) })),
    noticedBy: ["keeps the longest text, counted in code points"]
  },
  {
    breakage: "stores instants to the second",
    replace: storing(siteKind, ({ createdAt }) => ({ createdAt: DateTime.startOf(createdAt, "second") })),
    noticedBy: ["keeps instants to the millisecond"]
  }
])
