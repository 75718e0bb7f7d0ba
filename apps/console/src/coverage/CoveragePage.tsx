/**
 * The required documents of all sites, as a matrix of sites and kinds of documents.
 */
import { Button, EmptyState, Group, Skeleton, Stack, Text } from "@mantine/core"
import type { SiteCoverage } from "@solar-sites/http-node/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "react-router"
import { ask } from "../api/ask.ts"
import { client } from "../api/client.ts"
import { isDocumentType } from "../documents/Purpose.ts"
import { coverageStates, isCoverageState } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { ListPages } from "../lists/ListPages.tsx"
import { countOf } from "../lists/ListTable.tsx"
import { ListToolbar } from "../lists/ListToolbar.tsx"
import { type ListQuery, type Paging, useListQuery } from "../lists/useListQuery.ts"
import { PortfolioFilter } from "../portfolios/PortfolioFilter.tsx"
import { CsvButton } from "../shell/CsvButton.tsx"
import { Failure } from "../shell/Failure.tsx"
import { LabelledDate } from "../shell/LabelledDate.tsx"
import { Page } from "../shell/Page.tsx"
import { Select } from "../shell/Select.tsx"
import { coverageTexts as texts } from "../texts/en/coverage.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { healthTexts } from "../texts/en/health.ts"
import { siteTexts } from "../texts/en/sites.ts"
import classes from "./Coverage.module.css"
import { CoverageMatrix } from "./CoverageMatrix.tsx"
import {
  alone,
  type CoverageFilters,
  coverageFilters,
  isBySite,
  queryOf,
  scopeOf,
  sitesQueryOf
} from "./coverageFilters.ts"
import { coverageSummaryQuery } from "./coverageQueries.ts"
import { NoRequirements } from "./NoRequirements.tsx"
import { useCoverageTotal } from "./useCoverageTotal.ts"

/** The coverage of a page of sites, in the order of the sites. Sites that were deleted meanwhile are left out. */
const readBySite = async (filters: CoverageFilters, paging: Paging, options: { readonly signal: AbortSignal }) => {
  const { data: sites, nextCursor } = await client.sites.list({ ...sitesQueryOf(filters), ...paging }, options)
  const siteId = sites.map(({ id }) => id)
  const covered = siteId.length === 0 ? [] : (await ask("GET /console/coverage", { query: { siteId } })).data
  const byId = new Map(covered.map((site) => [site.siteId, site]))
  return { data: siteId.flatMap((id) => byId.get(id) ?? []), nextCursor }
}

const useCoverageList = (): ListQuery<CoverageFilters, SiteCoverage> => {
  const list = useListQuery<CoverageFilters, SiteCoverage>({
    ...coverageFilters,
    key: ["coverage", "list"],
    searchOf: ({ search }) => search,
    readPage: (filters, paging, options) =>
      isBySite(filters)
        ? readBySite(filters, paging, options)
        : client.coverage.list({ ...queryOf(filters), ...paging }, options)
  })
  return { ...list, change: (changes) => list.change(alone(changes)) }
}

const Filters = ({ change, filters }: Pick<ListQuery<CoverageFilters, SiteCoverage>, "change" | "filters">) => {
  // Few need another day than today.
  const [hasDay, setDay] = useState(false)
  return (
    <>
      <PortfolioFilter value={filters.portfolio} onChange={change} />
      <Select
        aria-label={texts.typeFilter}
        placeholder={documentTexts.anyType}
        data={Object.entries(documentTexts.documentTypes).map(([value, label]) => ({ value, label }))}
        value={filters.documentType}
        onChange={(chosen) => change({ documentType: isDocumentType(chosen) ? chosen : null })}
        clearable
        flex="1 1 160px"
        maw={220}
      />
      <Select
        aria-label={texts.stateFilter}
        placeholder={documentTexts.anyState}
        data={coverageStates.map((value) => ({ value, label: healthTexts.states[value] }))}
        value={filters.state}
        onChange={(chosen) => change({ state: isCoverageState(chosen) ? chosen : null })}
        clearable
        flex="1 1 150px"
        maw={200}
      />
      {hasDay || filters.asOf !== "" ? (
        <LabelledDate label={texts.asOf} value={filters.asOf} onChange={(asOf) => change({ asOf })} />
      ) : (
        <Button variant="subtle" onClick={() => setDay(true)}>
          {texts.otherDay}
        </Button>
      )}
    </>
  )
}

const Legend = () => (
  <ul className={classes.legend} aria-label={texts.legend}>
    {coverageStates.map((state) => (
      <li key={state}>
        <HealthSignal state={state} />
      </li>
    ))}
    <li className={classes.notRequired}>– {texts.notRequired}</li>
  </ul>
)

const Matrix = ({ list }: { readonly list: ListQuery<CoverageFilters, SiteCoverage> }) => {
  const { change, error, filters, isOutdated, items, nextCursor, retry } = list
  const summary = useQuery({ ...coverageSummaryQuery(scopeOf(filters)), placeholderData: keepPreviousData })
  if (error !== null) return <Failure error={error} onRetry={retry} />
  if (summary.error !== null) return <Failure error={summary.error} onRetry={() => void summary.refetch()} />
  if (items === undefined || summary.data === undefined) return <Skeleton height={360} />
  const { completeCount, documentTypes, siteCount } = summary.data
  if (documentTypes.length === 0) return <NoRequirements texts={texts} />
  if (items.length === 0 && nextCursor === null) {
    return (
      <EmptyState title={texts.noneFound} py="xl">
        <Button component={Link} to="/coverage" variant="default">
          {texts.showAll}
        </Button>
      </EmptyState>
    )
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Legend />
        <Text size="sm" c="dimmed">
          {texts.complete(completeCount, siteCount)}
        </Text>
      </Group>
      <CoverageMatrix
        sites={items}
        documentTypes={documentTypes}
        order={filters.order}
        isOutdated={isOutdated}
        onFilter={change}
      />
      <ListPages list={list} />
    </Stack>
  )
}

const csvPath = (filters: CoverageFilters): string => {
  const query = Object.entries(queryOf(filters)).map(([name, value]): [string, string] => [name, String(value)])
  return `/api/coverage?${new URLSearchParams(query)}`
}

export const CoveragePage = () => {
  const list = useCoverageList()
  const { change, filters } = list
  const total = useCoverageTotal(list)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      // The API has no CSV of the coverage of sites that a search finds.
      actions={filters.search.trim() === "" && <CsvButton path={csvPath(filters)} fileName="coverage.csv" />}
    >
      <ListToolbar
        label={siteTexts.search}
        search={filters.search}
        onSearch={(search) => change({ search })}
        status={countOf(list, siteTexts, total)}
      >
        <Filters change={change} filters={filters} />
      </ListToolbar>
      <Matrix list={list} />
    </Page>
  )
}
