import { Site, type SiteChanges, type SiteId, SiteNotFound, SiteRepository, VersionMismatch } from "@solar-sites/core"
import { siteRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./breaking.ts"

const order = "refuses an absent site before an absent portfolio, and that before a stale version"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "counts an update that changes nothing",
    replace: ({ update }, database) => ({
      update: (owner, id, changes, options) =>
        Effect.map(update(owner, id, changes, options), (site) => {
          if (site.updatedAt === options.at) return site
          const counted = new Site({ ...site, version: site.version + 1 })
          database.get(owner)?.sites.set(id, counted)
          return counted
        })
    }),
    noticedBy: ["changes nothing when the site has these values already"]
  },
  {
    breakage: "takes null for absent in an update",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) => {
        const set: SiteChanges = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
        return update(owner, id, set, options)
      }
    }),
    noticedBy: ["clears optional members with null, one by one and all at once"]
  },
  {
    breakage: "reckons capacityKw only when the capacity changes",
    replace: ({ update }, database) => ({
      update: (owner, id, changes, options) => {
        const before = database.get(owner)?.sites.get(id)?.capacityKw ?? 0
        return Effect.map(update(owner, id, changes, options), (site) => {
          if (changes.capacity !== undefined) return site
          const stale = new Site({ ...site, capacityKw: before })
          database.get(owner)?.sites.set(id, stale)
          return stale
        })
      }
    }),
    noticedBy: ["keeps capacityKw right when capacity or unit changes alone"]
  },
  {
    breakage: "updates any version",
    replace: ({ update }) => ({ update: (owner, id, changes, { at }) => update(owner, id, changes, { at }) }),
    noticedBy: ["changes only an expected version", order]
  },
  {
    breakage: "deletes any version",
    replace: (intact) => ({ delete: (owner, id) => intact.delete(owner, id) }),
    noticedBy: ["deletes only an expected version"]
  },
  {
    breakage: "reports the expected version as the actual one",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) =>
        Effect.catchTag(update(owner, id, changes, options), "VersionMismatch", () =>
          Effect.fail(new VersionMismatch({ actual: options.expectedVersions?.[0] ?? 1 }))
        )
    }),
    noticedBy: ["changes only an expected version"]
  },
  {
    breakage: "judges the version before the portfolio",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) => {
        const { portfolioId: _, ...others } = changes
        return Effect.andThen(update(owner, id, others, options), update(owner, id, changes, { at: options.at }))
      }
    }),
    noticedBy: [order, "refuses to move a site into a portfolio that the organisation does not have"]
  },
  {
    breakage: "deletes absent sites",
    replace: (intact) => ({
      delete: (owner, id, expected) =>
        Effect.catchTag(intact.delete(owner, id, expected), "SiteNotFound", () => Effect.void)
    }),
    noticedBy: [
      "deletes one site, once",
      "lets one of two concurrent deletes succeed",
      "finds, lists, updates and deletes nothing where there is nothing"
    ]
  },
  {
    breakage: "deletes what it saw a moment ago",
    replace: (intact) => ({
      delete: Effect.fnUntraced(function* (owner, id: SiteId, expected) {
        const seen = yield* intact.findById(owner, id)
        if (Option.isNone(seen)) return yield* new SiteNotFound({ siteIds: [id] })
        yield* Effect.yieldNow
        yield* Effect.catchTag(intact.delete(owner, id, expected), "SiteNotFound", () => Effect.void)
      })
    }),
    noticedBy: ["lets one of two concurrent deletes succeed"]
  },
  {
    breakage: "writes back all members as it read them",
    replace: ({ findById, update }) => ({
      update: Effect.fnUntraced(function* (owner, id, changes, options) {
        const read = Option.getOrNull(yield* findById(owner, id))
        yield* Effect.yieldNow
        const { address, capacity, coverImageUrl, latitude, longitude, portfolioId, siteManager, siteName, unit } =
          read ?? { ...changes }
        const members = {
          address,
          capacity,
          coverImageUrl,
          latitude,
          longitude,
          portfolioId,
          siteManager,
          siteName,
          unit
        }
        const all = Object.entries({ ...members, ...changes }).filter(([, value]) => value !== undefined)
        return yield* update(owner, id, Object.fromEntries(all), options)
      })
    }),
    noticedBy: ["loses none of several concurrent updates of different members"]
  },
  {
    breakage: "compares versions a moment before it writes",
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
    noticedBy: ["lets one of several concurrent updates of the same expected version win"]
  },
  {
    breakage: "looks for the portfolio a moment before it inserts",
    replace: ({ insert }, database) => ({
      insert: Effect.fnUntraced(function* (owner, site) {
        const stored = yield* insert(owner, site)
        database.get(owner)?.sites.delete(site.id)
        yield* Effect.yieldNow
        database.get(owner)?.sites.set(site.id, stored)
        return stored
      })
    }),
    noticedBy: ["leaves no site in a portfolio that is deleted while it is inserted or moved there"]
  }
])
