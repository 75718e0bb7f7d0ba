/**
 * The sites of a portfolio, as a table or on a map.
 */
import { EmptyState, Group, Stack, Title } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { useMemo } from "react"
import { useHealthOfSites } from "../health/healthQueries.ts"
import { countOf, ListTable } from "../lists/ListTable.tsx"
import { ListToolbar } from "../lists/ListToolbar.tsx"
import { useSelection } from "../lists/useSelection.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { FoundSitesMap } from "../sites/FoundSitesMap.tsx"
import type { SelectedSite } from "../sites/SelectedSite.ts"
import { SelectionBar } from "../sites/SelectionBar.tsx"
import { siteColumns } from "../sites/SiteColumns.tsx"
import { useSiteList } from "../sites/siteQueries.ts"
import { siteTotalOf } from "../sites/siteTotal.ts"
import { useSiteRows } from "../sites/useSiteRows.tsx"
import { ViewButtons } from "../sites/ViewButtons.tsx"
import { portfolioPageTexts as texts } from "../texts/en/portfolio.ts"
import { siteTexts } from "../texts/en/sites.ts"

const shownColumns: ReadonlyArray<string> = ["name", "health", "address", "capacity", "updated"]

export const PortfolioSites = ({ portfolio }: { readonly portfolio: Portfolio }) => {
  const list = useSiteList(portfolio.id)
  const { change, cursor, filters, items, nextCursor } = list
  const { nameOf, portfolios } = usePortfolioNames()
  const selection = useSelection<SelectedSite>()
  const rows = useSiteRows(selection)
  const healthOf = useHealthOfSites(useMemo(() => (items ?? []).map(({ id }) => id), [items]))
  const columns = useMemo(
    () => siteColumns(() => "", healthOf).filter(({ key }) => shownColumns.includes(key)),
    [healthOf]
  )
  const total = siteTotalOf(filters, undefined, [portfolio])
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
        status={filters.asMap ? "" : countOf(list, siteTexts, total)}
      />
      {filters.asMap ? (
        <FoundSitesMap filters={filters} nameOf={nameOf} />
      ) : (
        <ListTable
          label={siteTexts.table}
          list={list}
          columns={columns}
          empty={
            cursor === "" && filters.search.trim() === "" ? (
              <EmptyState title={texts.noSites} description={texts.noSitesHint} py="xl" />
            ) : (
              <EmptyState title={siteTexts.noneFound} py="xl" />
            )
          }
          {...rows}
        />
      )}
      <SelectionBar
        selection={selection}
        filters={filters}
        shown={filters.asMap ? [] : (items ?? [])}
        hasOthers={cursor !== "" || nextCursor !== null}
        portfolios={portfolios}
        total={total}
      />
    </Stack>
  )
}
