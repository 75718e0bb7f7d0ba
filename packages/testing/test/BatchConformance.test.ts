import { type Page, PortfolioRepository, SiteRepository } from "@solar-sites/core"
import {
  documentRepositoryConformance,
  portfolioRepositoryConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { type DateTime, Effect } from "effect"
import { notices } from "./breaking.ts"
import { notices as noticesDocuments } from "./DocumentBreaking.ts"
import { inRecords, inRepository, memory } from "./DocumentRepositoryBreaking.ts"
import { moving, oneByOne as oneAfterAnother } from "./PortfolioBreaking.ts"
import { oneByOne } from "./StoreBreaking.ts"
import { unlessTooGreat } from "./tooGreat.ts"

const sites = "saves, deletes and lists sites as core does, in organisations with the same ids"
const portfolios = "moves sites, and deletes and lists portfolios as core does, in organisations with the same ids"
const portfoliosAtOnce = "moves sites and deletes portfolios at once as in some order"

const documents = "claims, deletes and lists documents and files as core does, in organisations with the same ids"
const thousand = "lists a page of a thousand"

/** Reads an empty list of versions as no condition. */
const anyIfEmpty = <Options extends { readonly expectedVersions?: ReadonlyArray<number> | undefined }>(
  options: Options
) => (options.expectedVersions?.length === 0 ? { ...options, expectedVersions: undefined } : options)

const capped = <Request extends { readonly limit: number }>(request: Request): Request => ({
  ...request,
  limit: Math.min(request.limit, 500)
})

const byCreation = <Item extends { readonly createdAt: DateTime.Utc }>({ hasMore, items }: Page<Item>): Page<Item> => ({
  items: items.toSorted((a, b) => a.createdAt.epochMilliseconds - b.createdAt.epochMilliseconds),
  hasMore
})

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "deletes any version when none is expected",
    replace: (intact) => ({
      delete: (owner, id, options) => intact.delete(owner, id, anyIfEmpty(options))
    }),
    noticedBy: [sites]
  },
  {
    breakage: "has no more than 500 sites on a page",
    replace: ({ list }) => ({ list: (owner, conditions, page) => list(owner, conditions, capped(page)) }),
    noticedBy: [thousand]
  },
  {
    breakage: "lists in order of creation",
    replace: ({ list }) => ({ list: (...request) => Effect.map(list(...request), byCreation) }),
    noticedBy: [sites]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "deletes any version when none is expected",
    replace: (intact) => ({ delete: (owner, id, options) => intact.delete(owner, id, anyIfEmpty(options)) }),
    noticedBy: [portfolios]
  },
  {
    breakage: "fails to delete for an expected version that is no integer of 32 bits",
    replace: (intact) => ({
      delete: (owner, id, options) => unlessTooGreat(options.expectedVersions, intact.delete(owner, id, options))
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "fails to move sites for an expected version that is no integer of 32 bits",
    replace: ({ moveSites }) => ({
      moveSites: (owner, move, options) => unlessTooGreat(options.expectedVersions, moveSites(owner, move, options))
    }),
    noticedBy: [portfolios]
  },
  {
    breakage: "moves sites one by one",
    replace: moving("into", oneAfterAnother(Effect.yieldNow)),
    noticedBy: ["shows all sites of one move at the same time"]
  },
  {
    breakage: "takes sites out one by one",
    replace: moving("outOf", oneAfterAnother(Effect.yieldNow)),
    noticedBy: ["shows all sites of one move at the same time", portfoliosAtOnce]
  },
  {
    breakage: "has no more than 500 portfolios on a page",
    replace: ({ list }) => ({ list: (owner, conditions, page) => list(owner, conditions, capped(page)) }),
    noticedBy: ["lists a page of a thousand, with sites too"]
  },
  {
    breakage: "has no more than 500 rows in a piece",
    replace: ({ listWithSites }) => ({ listWithSites: (owner, piece) => listWithSites(owner, capped(piece)) }),
    noticedBy: ["lists a page of a thousand, with sites too"]
  },
  {
    breakage: "lists in order of creation",
    replace: ({ list }) => ({ list: (...request) => Effect.map(list(...request), byCreation) }),
    noticedBy: [portfolios]
  }
])

const batch = "lists a page of a thousand, and shows all documents of one insert at the same time"

noticesDocuments(documentRepositoryConformance, memory, [
  { breakage: "inserts row by row", breaks: inRecords(oneByOne), noticedBy: [batch] },
  {
    breakage: "has no more than 500 documents on a page",
    breaks: inRepository(({ list }) => ({ list: (owner, conditions, page) => list(owner, conditions, capped(page)) })),
    noticedBy: [batch]
  },
  {
    breakage: "lists in order of creation",
    breaks: inRepository(({ list }) => ({ list: (...request) => Effect.map(list(...request), byCreation) })),
    noticedBy: [documents]
  }
])
