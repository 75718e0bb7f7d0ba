import { type SavedSite, type SavedSites, Site, SiteRepository } from "@solar-sites/core"
import { siteRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"

const sites = "saves, deletes and lists sites as core does, in organisations with the same ids"
const sitesAtOnce = "saves, changes and deletes sites at once as in some order"

type Service = SiteRepository["Service"]

/** Answers something else. */
const answering =
  (edit: (found: SavedSites) => SavedSites) =>
  ({ saveMany }: Service): Partial<Service> => ({
    saveMany: (...given) => Effect.map(saveMany(...given), edit)
  })

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "returns saved sites in the order of their ids",
    replace: answering((found) => ({
      ...found,
      saved: found.saved.toSorted((a, b) => (a.site.id < b.site.id ? -1 : 1))
    })),
    noticedBy: [sites]
  },
  {
    breakage: "counts a save that changes nothing",
    replace: answering((found) => ({
      ...found,
      saved: found.saved.map(({ result, site }) => ({ result: result === "unchanged" ? "updated" : result, site }))
    })),
    noticedBy: [sites]
  },
  {
    breakage: "clears absent members",
    replace: ({ saveMany }) => ({
      saveMany: (owner, saves, options) => {
        const cleared = saves.map((save) =>
          save.changes === null ? save : { site: save.site, changes: { address: null, tags: [], ...save.changes } }
        )
        return saveMany(owner, cleared, options)
      }
    }),
    noticedBy: [sites]
  },
  {
    breakage: "stores the sites of a dry run",
    replace: ({ saveMany }) => ({
      saveMany: (owner, saves, options) => saveMany(owner, saves, { ...options, dryRun: false })
    }),
    noticedBy: [sites]
  },
  {
    breakage: "finds nothing against a dry run",
    replace: ({ saveMany }) => ({
      saveMany: (owner, saves, options) =>
        Effect.map(saveMany(owner, saves, options), (found) =>
          options.dryRun ? { ...found, organisationFound: true, incomplete: [], missing: [], taken: [] } : found
        )
    }),
    noticedBy: [sites]
  },
  {
    breakage: "saves sites one by one until something stands against one",
    replace: ({ saveMany }) => ({
      saveMany: Effect.fnUntraced(function* (owner, saves, options) {
        const saved: Array<SavedSite> = []
        for (const save of saves) {
          const found = yield* saveMany(owner, [save], options)
          if (found.saved.length === 0) return found
          saved.push(...found.saved)
        }
        return { ...(yield* saveMany(owner, [], options)), saved }
      })
    }),
    noticedBy: [sites]
  },
  {
    breakage: "names the first incomplete site alone",
    replace: answering((found) => ({ ...found, incomplete: found.incomplete.slice(0, 1) })),
    noticedBy: [sites]
  },
  {
    breakage: "matches the sites of all organisations",
    replace: ({ saveMany }, database) => ({
      saveMany: (owner, saves, options) => {
        const taken = [...database].find(([, { sites }]) =>
          [...sites.values()].some(({ externalId }) =>
            saves.some(({ changes }) => externalId !== null && changes?.externalId === externalId)
          )
        )
        return saveMany(taken?.[0] ?? owner, saves, options)
      }
    }),
    noticedBy: [sites]
  },
  {
    breakage: "overwrites sites that are stored under their ids",
    replace: ({ saveMany }, database) => ({
      saveMany: (owner, saves, options) =>
        Effect.map(saveMany(owner, saves, options), (found) => ({
          ...found,
          saved: found.saved.map(({ result, site }, index): SavedSite => {
            const given = saves[index]?.site
            if (given?.id !== site.id || options.dryRun) return { result, site }
            database.get(owner)?.sites.set(site.id, new Site(given))
            return { result, site: given }
          })
        }))
    }),
    noticedBy: [sites]
  },
  {
    breakage: "looks for the sites a moment before it saves them",
    replace: ({ list, saveMany }) => ({
      saveMany: Effect.fnUntraced(function* (owner, saves, options) {
        const { items } = yield* list(owner, {}, { after: null, limit: 1_000 })
        const known = new Set(items.map(({ externalId }) => externalId))
        yield* Effect.yieldNow
        const planned = saves.map((save) =>
          save.site === null || known.has(save.changes?.externalId ?? null) ? save : { site: save.site, changes: null }
        )
        return yield* saveMany(owner, planned, options)
      })
    }),
    noticedBy: [sitesAtOnce]
  },
  {
    breakage: "keeps at most a hundred sites of a call",
    replace: ({ saveMany }) => ({
      saveMany: (owner, saves, options) => saveMany(owner, saves.slice(0, 100), options)
    }),
    noticedBy: ["saves a thousand sites in as many portfolios as given"]
  }
])
