/**
 * The sites of the organisation, as a table or on a map.
 */
import { Box, Button, EmptyState, Group, Stack } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { useDeferredValue, useMemo } from "react"
import { Link } from "react-router"
import { useHealthOfSites } from "../health/healthQueries.ts"
import { ColumnsMenu, useColumns } from "../lists/ColumnsMenu.tsx"
import { countOf, ListTable } from "../lists/ListTable.tsx"
import { ListToolbar } from "../lists/ListToolbar.tsx"
import { SavedViews } from "../lists/SavedViews.tsx"
import type { ListQuery } from "../lists/useListQuery.ts"
import { useSelection } from "../lists/useSelection.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { CsvButton } from "../shell/CsvButton.tsx"
import { IconPlus } from "../shell/icons.ts"
import { lazily } from "../shell/lazily.tsx"
import { Page } from "../shell/Page.tsx"
import { useCan } from "../shell/session.ts"
import { useOpenedBy } from "../shell/useOpenedBy.ts"
import { siteTexts as texts } from "../texts/en/sites.ts"
import type { SelectedSite } from "./SelectedSite.ts"
import { siteColumns, usualColumns } from "./SiteColumns.tsx"
import { SitesSkeleton } from "./SitesSkeleton.tsx"
import { isFiltered, type SiteFilters } from "./siteFilters.ts"
import { useSiteList } from "./siteQueries.ts"
import { csvPathOf } from "./siteRequest.ts"
import { useSiteRows } from "./useSiteRows.tsx"
import { useSiteTotal } from "./useSiteTotal.ts"
import { ViewButtons } from "./ViewButtons.tsx"

// On narrow screens the inputs are behind a button.
const SiteFilterInputs = lazily(
  async () => (await import("./SiteFilterInputs.tsx")).SiteFilterInputs,
  () => <Box flex="3 1 520px" />
)
const SelectionBar = lazily(async () => (await import("./SelectionBar.tsx")).SelectionBar)
const FoundSitesMap = lazily(async () => (await import("./FoundSitesMap.tsx")).FoundSitesMap)
const SiteFormDialog = lazily(async () => (await import("./SiteFormDialog.tsx")).SiteFormDialog)

type SiteList = ListQuery<SiteFilters, Site>

const hasNothingYet = ({ cursor, filters, isOutdated, items }: SiteList): boolean =>
  !filters.asMap && !isOutdated && items?.length === 0 && cursor === "" && !isFiltered(filters)

const NoneFound = () => (
  <EmptyState title={texts.noneFound} description={texts.noneFoundHint} py="xl">
    <Button component={Link} to="/sites" variant="default">
      {texts.showAll}
    </Button>
  </EmptyState>
)

export const SitesPage = () => {
  const sites = useSiteList()
  const { change, filters } = sites
  const csv = csvPathOf(filters)
  const { nameOf, portfolios } = usePortfolioNames()
  const healthOf = useHealthOfSites(useMemo(() => (sites.items ?? []).map(({ id }) => id), [sites.items]))
  // Rows are rendered again in pieces, when portfolios and health have been read.
  const allColumns = useDeferredValue(useMemo(() => siteColumns(nameOf, healthOf), [nameOf, healthOf]))
  const { columns, keys, setKeys } = useColumns("sites", allColumns, usualColumns)
  const hasOthers = sites.cursor !== "" || sites.nextCursor !== null
  const total = useSiteTotal(filters, portfolios, hasOthers)
  const selection = useSelection<SelectedSite>()
  const rows = useSiteRows(selection)
  const canWrite = useCan("sites:write")
  const creating = useOpenedBy("new", canWrite)

  return (
    <Page
      title={texts.title}
      actions={
        <Group gap="xs">
          {csv !== undefined && !hasNothingYet(sites) && <CsvButton path={csv} fileName="sites.csv" />}
          {canWrite && (
            <>
              <Button component={Link} to="/sites/import" variant="default">
                {texts.import}
              </Button>
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
                {texts.create}
              </Button>
            </>
          )}
        </Group>
      }
    >
      <Stack gap="sm">
        {!hasNothingYet(sites) && (
          <ListToolbar
            label={texts.search}
            search={filters.search}
            onSearch={(search) => change({ search })}
            status={filters.asMap ? "" : countOf(sites, texts, total)}
            before=<ViewButtons asMap={filters.asMap} onChange={(asMap) => change({ asMap })} />
            after={
              <>
                <SavedViews list="sites" columns={keys} />
                {!filters.asMap && <ColumnsMenu columns={allColumns} keys={keys} onChange={setKeys} />}
              </>
            }
          >
            <SiteFilterInputs filters={filters} onChange={change} />
          </ListToolbar>
        )}
        {!filters.asMap && (
          <ListTable
            label={texts.table}
            list={sites}
            columns={columns}
            empty={
              hasNothingYet(sites) ? (
                <EmptyState title={texts.none} description={texts.noneHint} py="xl" />
              ) : (
                <NoneFound />
              )
            }
            waiting={<SitesSkeleton />}
            {...rows}
          />
        )}
        {filters.asMap && <FoundSitesMap filters={filters} nameOf={nameOf} />}
        {selection.wasUsed && (
          <SelectionBar
            selection={selection}
            filters={filters}
            shown={filters.asMap ? [] : (sites.items ?? [])}
            hasOthers={hasOthers}
            portfolios={portfolios}
            total={total}
          />
        )}
      </Stack>
      {creating.opened && <SiteFormDialog onClose={creating.close} />}
    </Page>
  )
}
