import { checkedVersion, Records, type SiteId, SiteRepository } from "@solar-sites/core"
import { siteRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"
import { unlessTooGreat } from "./tooGreat.ts"

const sites = "saves, deletes and lists sites as core does, in organisations with the same ids"
const sitesAtOnce = "saves, changes and deletes sites at once as in some order"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "deletes any version",
    replace: (intact) => ({ delete: (owner, id, { origin }) => intact.delete(owner, id, { origin }) }),
    noticedBy: [sites]
  },
  {
    breakage: "deletes absent sites",
    replace: (intact) => ({
      delete: (...given) => Effect.map(intact.delete(...given), (found) => found ?? { version: 1, isExpected: true })
    }),
    noticedBy: [sites, sitesAtOnce]
  },
  {
    breakage: "deletes what it saw a moment ago",
    replace: (intact, database) => ({
      delete: Effect.fnUntraced(function* (owner, id: SiteId, options) {
        const seen = checkedVersion(options.expectedVersions, database.get(owner)?.sites.get(id))
        yield* Effect.yieldNow
        yield* intact.delete(owner, id, options)
        return seen
      })
    }),
    noticedBy: [sitesAtOnce]
  },
  {
    breakage: "fails to delete for an expected version that is no integer of 32 bits",
    replace: (intact) => ({
      delete: (owner, id, options) => unlessTooGreat(options.expectedVersions, intact.delete(owner, id, options))
    }),
    noticedBy: [sites]
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
    noticedBy: [sitesAtOnce]
  }
])
