/**
 * What a section of the map shows: numbers of found sites, with the worst health of each number.
 */
import { useQueries, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { type Health, healths } from "../health/Health.ts"
import { isWithin, type Mark } from "../map/Marks.ts"
import { requirementsQuery } from "../requirements/requirementQueries.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { clustersQuery, totalOf } from "./siteQueries.ts"

/** Most sites of a section with signs: the server reads the documents of each, three times. */
const mostSigned = 3_000

const urgent = healths.filter((health) => health !== "complete")

type Clusters = ReadonlyArray<Mark>

const combine = (results: ReadonlyArray<{ readonly data: { readonly clusters: Clusters } | undefined }>) =>
  results.map(({ data }) => data?.clusters)

/** Undefined until all are read. `ofHealths` are the sites of each urgent health, in smaller bounds. */
const worstIn = (mark: Mark, ofHealths: ReadonlyArray<Clusters | undefined>): Health | undefined => {
  if (ofHealths.includes(undefined)) return undefined
  return urgent.find((_, index) => ofHealths[index]?.some((bounds) => isWithin(bounds, mark))) ?? "complete"
}

/** Nothing is read without a section. */
export const useMarks = (filters: SiteFilters, section: string | undefined) => {
  const { data, ...part } = useQuery({ ...clustersQuery(filters, section), enabled: section !== undefined })
  const requirements = useQuery({ ...requirementsQuery, refetchOnMount: true }).data?.requirements
  const isSigned = filters.health === null && requirements?.length !== 0
  const isRead = isSigned && requirements !== undefined && data !== undefined && totalOf(data) <= mostSigned
  const ofHealths = useQueries({
    queries: urgent.map((health) => ({ ...clustersQuery({ ...filters, health }, section), enabled: isRead })),
    combine
  })
  const marks = useMemo(
    () =>
      data?.clusters.map((mark): Mark => {
        if (!isSigned) return { ...mark, health: filters.health }
        return totalOf(data) > mostSigned ? { ...mark, health: null } : { ...mark, health: worstIn(mark, ofHealths) }
      }),
    [data, filters.health, isSigned, ofHealths]
  )
  return { ...part, marks }
}
