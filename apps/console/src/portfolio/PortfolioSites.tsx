/**
 * The sites of a portfolio, as a table or on a map.
 */
import { EmptyState, Group, Paper, Skeleton, Stack, Title } from "@mantine/core"
import type { Portfolio, Site } from "@solar-sites/http-node/client"
import { useMemo } from "react"
import { DataTable } from "../lists/DataTable.tsx"
import { ListPages } from "../lists/ListPages.tsx"
import { ListToolbar } from "../lists/ListToolbar.tsx"
import { useSelection } from "../lists/useSelection.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { Failure } from "../shell/Failure.tsx"
import { useCan } from "../shell/session.ts"
import { FoundSitesMap } from "../sites/FoundSitesMap.tsx"
import { SelectionBar } from "../sites/SelectionBar.tsx"
import { SiteActions } from "../sites/SiteActions.tsx"
import { siteColumns } from "../sites/SiteColumns.tsx"
import { useSiteList } from "../sites/siteQueries.ts"
import { ViewButtons } from "../sites/ViewButtons.tsx"
import { portfolioPageTexts as texts } from "../texts/portfolio.ts"
import { siteTexts } from "../texts/sites.ts"

const shownColumns: ReadonlyArray<string> = ["name", "address", "capacity", "updated"]

export const PortfolioSites = ({ portfolio }: { readonly portfolio: Portfolio }) => {
  const list = useSiteList(portfolio.id)
  const { change, cursor, error, filters, isOutdated, items, nextCursor, retry } = list
  const { nameOf, portfolios } = usePortfolioNames()
  const selection = useSelection<Site>()
  const canWrite = useCan("sites:write")
  const canSelect = useCan("portfolios:write")
  const columns = useMemo(() => siteColumns(() => "").filter(({ key }) => shownColumns.includes(key)), [])
  const isEmpty = items?.length === 0 && !isOutdated

  const table = () => {
    if (items === undefined)
      return error === null ? <Skeleton height={240} /> : <Failure error={error} onRetry={retry} />
    if (isEmpty && cursor === "" && filters.search.trim() === "")
      return <EmptyState title={texts.noSites} description={texts.noSitesHint} py="xl" />
    if (isEmpty) return <EmptyState title={siteTexts.noneFound} py="xl" />
    return (
      <Paper withBorder>
        <DataTable
          label={siteTexts.table}
          columns={columns}
          items={items}
          isOutdated={isOutdated}
          order={filters}
          onOrder={change}
          selecting={
            canSelect
              ? { ...selection, labelOf: ({ siteName }) => siteTexts.select(siteName), pageLabel: siteTexts.selectPage }
              : undefined
          }
          actionsOf={canWrite ? (site) => <SiteActions site={site} /> : undefined}
        />
      </Paper>
    )
  }
  return (
    <Stack gap="sm" component="section" aria-labelledby="portfolio-sites">
      <Group justify="space-between" gap="xs">
        <Title order={2} id="portfolio-sites">
          {texts.sites}
        </Title>
        <ViewButtons asMap={filters.asMap} onChange={(asMap) => change({ asMap })} />
      </Group>
      <ListToolbar
        label={siteTexts.search}
        search={filters.search}
        onSearch={(search) => change({ search })}
        status={
          filters.asMap || items === undefined || isOutdated
            ? ""
            : (cursor === "" && nextCursor === null ? siteTexts.count : siteTexts.countOfPage)(items.length)
        }
      />
      {!filters.asMap && error !== null && items !== undefined && <Failure error={error} onRetry={retry} />}
      {filters.asMap ? <FoundSitesMap filters={filters} nameOf={nameOf} /> : table()}
      {!filters.asMap && <ListPages list={list} />}
      <SelectionBar
        selection={selection}
        filters={filters}
        shown={filters.asMap ? [] : (items ?? [])}
        hasOthers={cursor !== "" || nextCursor !== null}
        portfolios={portfolios}
      />
    </Stack>
  )
}
