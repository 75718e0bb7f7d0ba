/**
 * The sites of the organisation, as a table or on a map.
 */
import { Button, EmptyState, Group, Paper, Stack, Text } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { useMemo, useState } from "react"
import { Link } from "react-router"
import { ColumnsMenu, useColumns } from "../lists/ColumnsMenu.tsx"
import { type Column, DataTable } from "../lists/DataTable.tsx"
import { ListPages } from "../lists/ListPages.tsx"
import { ListToolbar } from "../lists/ListToolbar.tsx"
import { SavedViews } from "../lists/SavedViews.tsx"
import type { ListQuery } from "../lists/useListQuery.ts"
import { type Selection, useSelection } from "../lists/useSelection.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { Failure } from "../shell/Failure.tsx"
import { IconPlus } from "../shell/icons.ts"
import { lazily } from "../shell/lazily.tsx"
import { Page } from "../shell/Page.tsx"
import { useCan } from "../shell/session.ts"
import { siteTexts as texts } from "../texts/sites.ts"
import { SelectionBar } from "./SelectionBar.tsx"
import { SiteActions } from "./SiteActions.tsx"
import { coveredSiteColumns, type NameOf, siteColumns, usualColumns } from "./SiteColumns.tsx"
import { SiteFilterInputs } from "./SiteFilterInputs.tsx"
import { SitesSkeleton } from "./SitesSkeleton.tsx"
import { isFiltered, type SiteFilters, type SiteSort } from "./siteFilters.ts"
import { useCoveredSiteList, useSiteList } from "./siteQueries.ts"
import type { CoveredSite } from "./siteReading.ts"
import { ViewButtons } from "./ViewButtons.tsx"

const FoundSitesMap = lazily(async () => (await import("./FoundSitesMap.tsx")).FoundSitesMap)
const SiteFormDialog = lazily(async () => (await import("./SiteFormDialog.tsx")).SiteFormDialog)

type SiteList = ListQuery<SiteFilters, Site>

const statusOf = ({ cursor, isOutdated, items, nextCursor }: ListQuery<SiteFilters, unknown>): string => {
  if (items === undefined || isOutdated) return ""
  return cursor === "" && nextCursor === null ? texts.count(items.length) : texts.countOfPage(items.length)
}

const hasNothingYet = ({ cursor, filters, isOutdated, items }: SiteList): boolean =>
  !filters.asMap && !isOutdated && items?.length === 0 && cursor === "" && !isFiltered(filters)

const NoneFound = () => (
  <EmptyState title={texts.noneFound} description={texts.noneFoundHint} py="xl">
    <Button component={Link} to="/sites" variant="default">
      {texts.showAll}
    </Button>
  </EmptyState>
)

const CoveredSitesTable = ({
  list,
  nameOf
}: {
  readonly list: ListQuery<SiteFilters, CoveredSite>
  readonly nameOf: NameOf
}) => {
  const { error, isOutdated, items, retry } = list
  const columns = useMemo(() => coveredSiteColumns(nameOf), [nameOf])
  if (items === undefined) return error === null ? <SitesSkeleton /> : <Failure error={error} onRetry={retry} />
  if (items.length === 0 && !isOutdated) return <NoneFound />
  return (
    <Paper withBorder>
      <DataTable label={texts.table} columns={columns} items={items} isOutdated={isOutdated} />
    </Paper>
  )
}

interface TableProps {
  readonly list: SiteList
  readonly columns: ReadonlyArray<Column<Site, SiteSort>>
  readonly selection: Selection<Site>
}

const SitesTable = ({ columns, list, selection }: TableProps) => {
  const { change, error, filters, isOutdated, items, retry } = list
  const canWrite = useCan("sites:write")
  // Selected sites move between portfolios.
  const canSelect = useCan("portfolios:write")
  if (items === undefined) return error === null ? <SitesSkeleton /> : <Failure error={error} onRetry={retry} />
  if (hasNothingYet(list)) return <EmptyState title={texts.none} description={texts.noneHint} py="xl" />
  if (items.length === 0 && !isOutdated) return <NoneFound />
  return (
    <Paper withBorder>
      <DataTable
        label={texts.table}
        columns={columns}
        items={items}
        isOutdated={isOutdated}
        order={filters}
        onOrder={change}
        selecting={
          canSelect
            ? { ...selection, labelOf: ({ siteName }) => texts.select(siteName), pageLabel: texts.selectPage }
            : undefined
        }
        actionsOf={canWrite ? (site) => <SiteActions site={site} /> : undefined}
      />
    </Paper>
  )
}

export const SitesPage = () => {
  const sites = useSiteList()
  const covered = useCoveredSiteList()
  const { change, filters } = sites
  const byCoverage = filters.coverage !== null
  const list: ListQuery<SiteFilters, unknown> = byCoverage ? covered : sites
  const { nameOf, portfolios } = usePortfolioNames()
  const allColumns = useMemo(() => siteColumns(nameOf), [nameOf])
  const { columns, keys, setKeys } = useColumns("sites", allColumns, usualColumns)
  const selection = useSelection<Site>()
  const canWrite = useCan("sites:write")
  const [creating, setCreating] = useState(false)

  return (
    <Page
      title={texts.title}
      actions={
        canWrite && (
          <Group gap="xs">
            <Button component={Link} to="/sites/import" variant="default">
              {texts.import}
            </Button>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              {texts.create}
            </Button>
          </Group>
        )
      }
    >
      <Stack gap="sm">
        {!hasNothingYet(sites) && (
          <ListToolbar
            label={texts.search}
            search={filters.search}
            onSearch={(search) => change({ search })}
            disabled={byCoverage}
            status={filters.asMap ? "" : statusOf(list)}
            before=<ViewButtons asMap={filters.asMap} disabled={byCoverage} onChange={(asMap) => change({ asMap })} />
            after={
              <>
                <SavedViews list="sites" />
                {!filters.asMap && !byCoverage && <ColumnsMenu columns={allColumns} keys={keys} onChange={setKeys} />}
              </>
            }
          >
            <SiteFilterInputs filters={filters} onChange={change} portfolios={portfolios} />
          </ListToolbar>
        )}
        {byCoverage && (
          <Text size="xs" c="dimmed">
            {texts.coverageHint}
          </Text>
        )}
        {list.error !== null && list.items !== undefined && <Failure error={list.error} onRetry={list.retry} />}
        {byCoverage && <CoveredSitesTable list={covered} nameOf={nameOf} />}
        {!byCoverage && !filters.asMap && <SitesTable list={sites} columns={columns} selection={selection} />}
        {filters.asMap ? <FoundSitesMap filters={filters} nameOf={nameOf} /> : <ListPages list={list} />}
        <SelectionBar
          selection={selection}
          filters={filters}
          shown={filters.asMap || byCoverage ? [] : (sites.items ?? [])}
          hasOthers={!byCoverage && (sites.cursor !== "" || sites.nextCursor !== null)}
          portfolios={portfolios}
        />
      </Stack>
      {creating && <SiteFormDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}
