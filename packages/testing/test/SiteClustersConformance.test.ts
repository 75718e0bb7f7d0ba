import { gridOf, type MapSection, reachParts, type SiteClusters, SiteRepository } from "@solar-sites/core"
import { siteRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"

const asCore = (seed: number) => `counts sites on a map as core does (random conditions ${seed})`
const bySize = "counts few sites by small cells, and many by large ones"
const named = "names the first sites of a position, by id"

type Cluster = SiteClusters["clusters"][number]

const withClusters =
  (change: (cluster: Cluster) => Cluster) =>
  (found: SiteClusters): SiteClusters => ({ ...found, clusters: found.clusters.map(change) })

const byLargeCells =
  (within: MapSection | undefined) =>
  (found: SiteClusters): SiteClusters => {
    const { height, width } = gridOf(within)
    const cells = Map.groupBy(
      found.clusters,
      ({ south, west }) => `${Math.floor(west / width)} ${Math.floor(south / height)}`
    )
    return { ...found, clusters: [...cells.values()].flatMap(([first]) => first ?? []) }
  }

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "counts the sites of other portfolios",
    replace: ({ clusters }) => ({
      clusters: (reach, conditions) => clusters(reachParts(reach).organisationId, conditions)
    }),
    noticedBy: [asCore(1), asCore(2)]
  },
  {
    breakage: "counts the sites of all organisations",
    replace: ({ clusters }, database) => ({
      clusters: (reach, conditions) =>
        Effect.map(
          Effect.forEach(database.keys(), (id) => clusters(typeof reach === "string" ? id : reach, conditions)),
          (all) => ({ clusters: all.flatMap(({ clusters }) => clusters), unplaced: all[0]?.unplaced ?? null })
        )
    }),
    noticedBy: [asCore(1)]
  },
  {
    breakage: "counts few sites by large cells",
    replace: ({ clusters }) => ({
      clusters: (reach, conditions) => Effect.map(clusters(reach, conditions), byLargeCells(conditions.within))
    }),
    noticedBy: [bySize]
  },
  {
    breakage: "counts sites outside of the section",
    replace: ({ clusters }) => ({
      clusters: (reach, { within, ...conditions }) =>
        Effect.map(clusters(reach, conditions), (found) =>
          within === undefined ? found : { ...found, unplaced: null }
        )
    }),
    noticedBy: [asCore(1)]
  },
  {
    breakage: "ignores the search",
    replace: ({ clusters }) => ({ clusters: (reach, { q: _, ...conditions }) => clusters(reach, conditions) }),
    noticedBy: [asCore(1)]
  },
  {
    breakage: "counts the sites of all portfolios where those in none are asked for",
    replace: ({ clusters }) => ({
      clusters: (reach, { portfolioId, ...conditions }) =>
        clusters(reach, portfolioId == null ? conditions : { ...conditions, portfolioId })
    }),
    noticedBy: [asCore(1)]
  },
  {
    breakage: "leaves sites without a position out",
    replace: ({ clusters }) => ({
      clusters: (reach, conditions) =>
        Effect.map(clusters(reach, conditions), (found) => ({ ...found, unplaced: { count: 0, sites: [] } }))
    }),
    noticedBy: [asCore(1)]
  },
  {
    breakage: "names no sites",
    replace: ({ clusters }) => ({
      clusters: (reach, conditions) =>
        Effect.map(
          clusters(reach, conditions),
          withClusters((cluster) => ({ ...cluster, sites: [] }))
        )
    }),
    noticedBy: [asCore(1), named]
  }
])
