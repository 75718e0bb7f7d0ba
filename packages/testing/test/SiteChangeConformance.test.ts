import { Records, type SiteId, SiteNotFound, SiteRepository } from "@solar-sites/core"
import { siteRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"
import { unlessTooGreat } from "./tooGreat.ts"

const once = "lets one of two concurrent deletes succeed"
const tooGreat = "deletes no site of an expected version beyond any range, alone and among others"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "deletes any version",
    replace: (intact) => ({ delete: (owner, id) => intact.delete(owner, id) }),
    noticedBy: ["deletes only an expected version"]
  },
  {
    breakage: "deletes absent sites",
    replace: (intact) => ({
      delete: (owner, id, expected) =>
        Effect.catchTag(intact.delete(owner, id, expected), "SiteNotFound", () => Effect.void)
    }),
    noticedBy: ["deletes one site, once", once, "finds, lists, updates and deletes nothing where there is nothing"]
  },
  {
    breakage: "deletes what it saw a moment ago",
    replace: (intact, database) => ({
      delete: Effect.fnUntraced(function* (owner, id: SiteId, expected) {
        if (database.get(owner)?.sites.has(id) !== true) return yield* new SiteNotFound({ siteIds: [id] })
        yield* Effect.yieldNow
        yield* Effect.catchTag(intact.delete(owner, id, expected), "SiteNotFound", () => Effect.void)
      })
    }),
    noticedBy: [once]
  },
  {
    breakage: "fails to delete for an expected version that is no integer of 32 bits",
    replace: (intact) => ({
      delete: (owner, id, versions) => unlessTooGreat(versions, intact.delete(owner, id, versions))
    }),
    noticedBy: [tooGreat]
  }
])

notices(siteRepositoryConformance, Records, [
  {
    breakage: "looks for the portfolio a moment before it stores a site",
    replace: ({ commit }, database) => ({
      commit: Effect.fnUntraced(function* (operation, owner, change) {
        const outcome = yield* commit(operation, owner, change)
        if (operation !== "SiteRepository.insert" || outcome._tag === "Stale") return outcome
        const sites = database.get(owner)?.sites
        const stored = change.writes.flatMap(({ id }) => sites?.get(id as SiteId) ?? [])
        for (const { id } of stored) sites?.delete(id)
        yield* Effect.yieldNow
        for (const site of stored) sites?.set(site.id, site)
        return outcome
      })
    }),
    noticedBy: ["leaves no site in a portfolio that is deleted while it is inserted or moved there"]
  }
])
