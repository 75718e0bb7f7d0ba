/**
 * The found sites on the map. The server counts those of the shown section.
 */
import { Stack, Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Bounds, boundsOf, type Mark, sectionAround, sectionOf } from "../map/Marks.ts"
import { SitesMap } from "../map/SitesMap.tsx"
import { Failure } from "../shell/Failure.tsx"
import { mapTexts as texts } from "../texts/en/map.ts"
import { siteTexts } from "../texts/en/sites.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { clustersQuery, totalOf } from "./siteQueries.ts"
import { conditionsOf } from "./siteRequest.ts"
import { useMarks } from "./useMarks.ts"

interface Props {
  readonly filters: SiteFilters
  readonly nameOf: (portfolioId: string | null) => string
}

// Keys that are held move the map many times a second.
const movingMillis = 150

const noMarks: ReadonlyArray<Mark> = []
const noSites = { count: 0, sites: [] }

/** The latest value that is not undefined. */
const useLast = <Value,>(value: Value | undefined): Value | undefined => {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

export const FoundSitesMap = ({ filters, nameOf }: Props) => {
  const key = JSON.stringify(conditionsOf(filters))
  const [fit, setFit] = useState<{ readonly key: string; readonly bounds: Bounds | null }>()
  const [view, setView] = useState<{ readonly key: string; readonly section: string }>()
  const [chosen, setChosen] = useState<Mark | null>(null)
  const all = useQuery(clustersQuery(filters))
  // The map is fitted once for each filter: it stays where the user has moved it when the sites are read again.
  if (all.data !== undefined && fit?.key !== key) {
    setFit({ key, bounds: boundsOf(all.data.clusters) })
    setChosen(null)
  }
  const [settled] = useDebouncedValue(view, movingMillis, { leading: true })
  const part = useMarks(filters, settled?.key === key ? settled.section : undefined)
  const marks = useLast(part.marks) ?? noMarks
  const isNear = chosen !== null && chosen.sites.length === 0
  const near = useQuery({ ...clustersQuery(filters, chosen === null ? "" : sectionOf(chosen)), enabled: isNear })
  const failed = [all, part, near].find(({ isError }) => isError)
  const sites = isNear ? near.data?.clusters.flatMap((cluster) => cluster.sites) : chosen?.sites
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {all.data === undefined ? texts.reading : siteTexts.count(totalOf(all.data))}
      </Text>
      {failed !== undefined && (
        <Failure error={failed.error} title={texts.incomplete} onRetry={() => void failed.refetch()} />
      )}
      <SitesMap
        marks={marks}
        fit={fit}
        unplaced={all.data?.unplaced ?? noSites}
        nameOf={nameOf}
        onView={(shown) => fit && setView({ key: fit.key, section: sectionAround(shown) })}
        chosen={chosen}
        found={chosen && sites ? { count: chosen.count, sites } : noSites}
        onChoose={setChosen}
      />
    </Stack>
  )
}
