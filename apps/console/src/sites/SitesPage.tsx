/**
 * The sites of the organisation, as a table or on a map.
 */
import { Button, EmptyState, Paper, Stack } from "@mantine/core"
import { useDeferredValue, useMemo, useState } from "react"
import { Link } from "react-router"
import { SitesMap } from "../map/SitesMap.tsx"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { Failure } from "../shell/Failure.tsx"
import { IconPlus } from "../shell/icons.ts"
import { Page } from "../shell/Page.tsx"
import { useCan } from "../shell/session.ts"
import { siteTexts as texts } from "../texts/sites.ts"
import { SelectionBar } from "./SelectionBar.tsx"
import { SiteFormDialog } from "./SiteFormDialog.tsx"
import { pageCount, pageOf, selectSites } from "./SiteList.ts"
import { SitesPages } from "./SitesPages.tsx"
import { SitesSkeleton } from "./SitesSkeleton.tsx"
import { SitesTable } from "./SitesTable.tsx"
import { SitesToolbar } from "./SitesToolbar.tsx"
import { useSites } from "./siteQueries.ts"
import { useSiteView } from "./useSiteView.ts"

const useFoundSites = () => {
  const { view, change } = useSiteView()
  const read = useSites()
  const names = usePortfolioNames()
  const { descending, order, portfolio } = view
  const search = useDeferredValue(view.search)
  const found = useMemo(
    () => selectSites(read.sites, { descending, order, portfolio, search }, names.nameOf),
    [read.sites, descending, order, portfolio, search, names.nameOf]
  )
  return { ...read, ...names, view, change, found }
}

export const SitesPage = () => {
  const { change, complete, error, found, nameOf, portfolios, retry, sites, view } = useFoundSites()
  const canWrite = useCan("sites:write")
  const [creating, setCreating] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = useMemo(() => sites.filter(({ id }) => selected.has(id)), [sites, selected])

  const page = Math.min(view.page, pageCount(found.length))
  const nothingYet = sites.length === 0
  const status = complete
    ? found.length === sites.length
      ? texts.count(sites.length)
      : texts.found(found.length, sites.length)
    : texts.reading(sites.length)
  const createButton = canWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  )

  const content = () => {
    if (nothingYet && error !== null) return <Failure error={error} onRetry={retry} />
    if (nothingYet && !complete) return <SitesSkeleton />
    if (nothingYet) return <EmptyState title={texts.none} description={texts.noneHint} py="xl" />
    if (view.asMap)
      return <SitesMap sites={found} nameOf={nameOf} fit={`${view.portfolio} ${view.search} ${complete}`} />
    if (found.length === 0) {
      return (
        <EmptyState title={texts.noneFound} description={texts.noneFoundHint} py="xl">
          <Button component={Link} to="/sites" variant="default">
            {texts.showAll}
          </Button>
        </EmptyState>
      )
    }
    return (
      <>
        <Paper withBorder>
          <SitesTable
            sites={pageOf(found, page)}
            nameOf={nameOf}
            view={view}
            onChange={change}
            selected={selected}
            onSelect={setSelected}
          />
        </Paper>
        <SitesPages count={found.length} page={page} onChange={(page) => change({ page })} />
        <SelectionBar
          selected={chosen}
          found={found.length}
          portfolios={portfolios}
          onSelectFound={() => setSelected(new Set(found.map(({ id }) => id)))}
          onClear={() => setSelected(new Set())}
        />
      </>
    )
  }

  return (
    <Page title={texts.title} actions={createButton}>
      <Stack gap="sm">
        {!(nothingYet && complete) && (
          <SitesToolbar view={view} onChange={change} portfolios={portfolios} status={status} />
        )}
        {error !== null && !nothingYet && <Failure error={error} title={texts.incomplete} onRetry={retry} />}
        {content()}
      </Stack>
      {creating && <SiteFormDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}
