import { EventRepository, MaximumPageBytes, PortfolioRepository, SiteRepository } from "@solar-sites/core"
import {
  eventRepositoryConformance,
  portfolioRepositoryConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"

const sitePages = "ends pages of large sites early, and lists each site once in any order"
const saves = "refuses to save stored sites that are too large together"
const pieces = "ends pieces of large sites early, and begins each portfolio once"
const additions = "refuses to add sites that are too large together"
const eventPages = "ends pages of large events early, and lists each event once"

const unbounded = Effect.provideService(MaximumPageBytes, Number.POSITIVE_INFINITY)

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "counts no bytes in lists",
    replace: ({ list }) => ({ list: (...given) => unbounded(list(...given)) }),
    noticedBy: [sitePages]
  },
  {
    breakage: "takes a page that ends early for the last one",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.map(list(owner, conditions, page), ({ hasMore, items }) => ({
          items,
          hasMore: hasMore && items.length === page.limit
        }))
    }),
    noticedBy: [sitePages]
  },
  {
    breakage: "ends a page in front of its first site",
    replace: ({ list }) => ({
      list: (owner, conditions, page) =>
        Effect.flatMap(MaximumPageBytes, (bytes) =>
          bytes < 10 ? Effect.succeed({ items: [], hasMore: true }) : list(owner, conditions, page)
        )
    }),
    noticedBy: [sitePages]
  },
  {
    breakage: "counts no bytes of saved sites",
    replace: ({ saveMany }) => ({ saveMany: (...given) => unbounded(saveMany(...given)) }),
    noticedBy: [saves]
  },
  {
    breakage: "saves sites before it counts their bytes",
    replace: ({ saveMany }) => ({
      saveMany: (...given) => Effect.tap(unbounded(saveMany(...given)), saveMany(...given))
    }),
    noticedBy: [saves]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "counts no bytes of portfolios with sites",
    replace: ({ listWithSites }) => ({ listWithSites: (...given) => unbounded(listWithSites(...given)) }),
    noticedBy: [pieces]
  },
  {
    breakage: "begins the portfolios behind a piece that ends early",
    replace: ({ listWithSites }) => ({
      listWithSites: Effect.fnUntraced(function* (owner, piece) {
        const page = yield* listWithSites(owner, piece)
        const all = yield* unbounded(listWithSites(owner, piece))
        return { ...page, items: [...page.items, ...all.items.slice(page.items.length)] }
      })
    }),
    noticedBy: [pieces]
  },
  {
    breakage: "counts no bytes of added sites",
    replace: ({ moveSites }) => ({ moveSites: (...given) => unbounded(moveSites(...given)) }),
    noticedBy: [additions]
  }
])

notices(eventRepositoryConformance, EventRepository, [
  {
    breakage: "counts no bytes of events",
    replace: ({ list }) => ({ list: (...given) => unbounded(list(...given)) }),
    noticedBy: [eventPages]
  }
])
