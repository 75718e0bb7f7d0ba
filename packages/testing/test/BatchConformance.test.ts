import { type Page, PortfolioRepository, SiteRepository } from "@solar-sites/core"
import {
  documentRepositoryConformance,
  portfolioRepositoryConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { type DateTime, Effect, Option } from "effect"
import { notices } from "./breaking.ts"
import { notices as noticesDocuments } from "./DocumentBreaking.ts"
import { inRecords, inRepository, memory } from "./DocumentRepositoryBreaking.ts"
import { oneByOne } from "./StoreBreaking.ts"
import { unlessTooGreat } from "./tooGreat.ts"

const pages = "lists in ascending order of id, in pages of any size"
const thousand = "lists a page of a thousand"
const stale = "updates and deletes only an expected version"
const tooGreat = "treats an expected version beyond any range as a mismatch, alone and among others"

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
      delete: (owner, id, expected) => intact.delete(owner, id, expected?.length === 0 ? undefined : expected)
    }),
    noticedBy: ["deletes only an expected version"]
  },
  {
    breakage: "has no more than 500 sites on a page",
    replace: ({ list }) => ({ list: (owner, conditions, page) => list(owner, conditions, capped(page)) }),
    noticedBy: [thousand]
  },
  {
    breakage: "lists in order of creation",
    replace: ({ list }) => ({ list: (...request) => Effect.map(list(...request), byCreation) }),
    noticedBy: [pages]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "updates any version when none is expected",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) => update(owner, id, changes, anyIfEmpty(options))
    }),
    noticedBy: [stale]
  },
  {
    breakage: "deletes any version when none is expected",
    replace: (intact) => ({ delete: (owner, id, options) => intact.delete(owner, id, anyIfEmpty(options)) }),
    noticedBy: [stale]
  },
  {
    breakage: "fails to update for an expected version that is no integer of 32 bits",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) =>
        unlessTooGreat(options.expectedVersions, update(owner, id, changes, options))
    }),
    noticedBy: [tooGreat]
  },
  {
    breakage: "fails to delete for an expected version that is no integer of 32 bits",
    replace: (intact) => ({
      delete: (owner, id, options) => unlessTooGreat(options.expectedVersions, intact.delete(owner, id, options))
    }),
    noticedBy: [tooGreat]
  },
  {
    breakage: "compares versions a moment before it renames",
    replace: ({ findById, update }) => ({
      update: Effect.fnUntraced(function* (owner, id, changes, { at, expectedVersions }) {
        const read = Option.getOrNull(yield* findById(owner, id))
        if (read !== null && expectedVersions !== undefined && !expectedVersions.includes(read.version)) {
          return yield* update(owner, id, changes, { at, expectedVersions })
        }
        yield* Effect.yieldNow
        return yield* update(owner, id, changes, { at })
      })
    }),
    noticedBy: ["lets one of several concurrent renames of the same expected version win"]
  },
  {
    breakage: "inserts row by row",
    replace: ({ insertMany }) => ({
      insertMany: (owner, portfolios) =>
        Effect.map(
          Effect.forEach(portfolios, (one) => Effect.andThen(Effect.yieldNow, insertMany(owner, [one]))),
          (stored) => stored.flat()
        )
    }),
    noticedBy: ["shows all portfolios of one insert at the same time"]
  },
  {
    breakage: "moves sites one by one",
    replace: ({ addSites }) => ({
      addSites: (owner, id, siteIds, options) =>
        Effect.map(
          Effect.forEach(siteIds, (one) => Effect.andThen(Effect.yieldNow, addSites(owner, id, [one], options))),
          (moved) => moved.flat()
        )
    }),
    noticedBy: ["shows all sites of one move at the same time"]
  },
  {
    breakage: "takes sites out one by one",
    replace: ({ removeSites }) => ({
      removeSites: (owner, id, siteIds, options) =>
        Effect.forEach(siteIds, (one) => Effect.andThen(Effect.yieldNow, removeSites(owner, id, [one], options)), {
          discard: true
        })
    }),
    noticedBy: [
      "shows all sites of one move at the same time",
      "lets one of two concurrent removals succeed, and none of them in part"
    ]
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
    noticedBy: [pages]
  }
])

const documents = "lists a page of a thousand, and shows all documents of one insert at the same time"

noticesDocuments(documentRepositoryConformance, memory, [
  { breakage: "inserts row by row", breaks: inRecords(oneByOne), noticedBy: [documents] },
  {
    breakage: "has no more than 500 documents on a page",
    breaks: inRepository(({ list }) => ({ list: (owner, conditions, page) => list(owner, conditions, capped(page)) })),
    noticedBy: [documents]
  },
  {
    breakage: "lists in order of creation",
    breaks: inRepository(({ list }) => ({ list: (...request) => Effect.map(list(...request), byCreation) })),
    noticedBy: [pages]
  }
])
