/**
 * The required documents of all sites, as a matrix of sites and kinds of documents.
 */
import { Button, EmptyState, Group, Select, Skeleton, Stack, Text } from "@mantine/core"
import type { SiteCoverage } from "@solar-sites/http-node/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "react-router"
import { client } from "../api/client.ts"
import { isDocumentType } from "../documents/Purpose.ts"
import { coverageStates, isCoverageState } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { ListPages } from "../lists/ListPages.tsx"
import { type ListQuery, useListQuery } from "../lists/useListQuery.ts"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { CsvButton } from "../shell/CsvButton.tsx"
import { Failure } from "../shell/Failure.tsx"
import { LabelledDate } from "../shell/LabelledDate.tsx"
import { Page } from "../shell/Page.tsx"
import { coverageTexts as texts } from "../texts/en/coverage.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { healthTexts } from "../texts/en/health.ts"
import classes from "./Coverage.module.css"
import { CoverageMatrix } from "./CoverageMatrix.tsx"
import { type CoverageFilters, coverageFilters, queryOf, scopeOf } from "./coverageFilters.ts"
import { coverageSummaryQuery } from "./coverageQueries.ts"

const noFilters: CoverageFilters = { portfolio: "all", state: null, documentType: null, asOf: "" }

const useCoverageList = (): ListQuery<CoverageFilters, SiteCoverage> =>
  useListQuery({
    ...coverageFilters,
    key: ["coverage", "list"],
    searchOf: () => "",
    readPage: (filters, paging, options) => client.coverage.list({ ...queryOf(filters), ...paging }, options)
  })

const Filters = ({ change, filters }: Pick<ListQuery<CoverageFilters, SiteCoverage>, "change" | "filters">) => {
  const { portfolios } = usePortfolioNames()
  // Few need another day than today.
  const [hasDay, setDay] = useState(false)
  return (
    <>
      <PortfolioSelect
        aria-label={texts.portfolioFilter}
        allowDeselect={false}
        first={[{ value: "all", label: texts.allPortfolios }]}
        portfolios={portfolios}
        value={filters.portfolio}
        onChange={(portfolio) => change({ portfolio: portfolio ?? "all" })}
        flex="1 1 160px"
        maw={260}
      />
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

const NoRequirements = () => (
  <EmptyState title={texts.noRequirements} description={texts.noRequirementsHint} py="xl">
    <Button component={Link} to="/company/requirements" variant="default">
      {texts.requirements}
    </Button>
  </EmptyState>
)

const Matrix = ({ list }: { readonly list: ListQuery<CoverageFilters, SiteCoverage> }) => {
  const { change, error, filters, isOutdated, items, nextCursor, retry } = list
  const summary = useQuery({ ...coverageSummaryQuery(scopeOf(filters)), placeholderData: keepPreviousData })
  if (error !== null) return <Failure error={error} onRetry={retry} />
  if (summary.error !== null) return <Failure error={summary.error} onRetry={() => void summary.refetch()} />
  if (items === undefined || summary.data === undefined) return <Skeleton height={360} />
  const { completeCount, documentTypes, siteCount } = summary.data
  if (documentTypes.length === 0) return <NoRequirements />
  if (items.length === 0 && nextCursor === null) {
    return (
      <EmptyState title={texts.noneFound} py="xl">
        <Button variant="default" onClick={() => change(noFilters)}>
          {texts.showAll}
        </Button>
      </EmptyState>
    )
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Legend />
        <Text size="sm" c="dimmed" role="status">
          {texts.complete(completeCount, siteCount)}
        </Text>
      </Group>
      <CoverageMatrix sites={items} documentTypes={documentTypes} isOutdated={isOutdated} onFilter={change} />
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
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<CsvButton path={csvPath(list.filters)} fileName="coverage.csv" />}
    >
      <Group gap="xs">
        <Filters change={list.change} filters={list.filters} />
      </Group>
      <Matrix list={list} />
    </Page>
  )
}
