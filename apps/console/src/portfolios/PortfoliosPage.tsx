/**
 * The portfolios of the organisation, and the capacity of each.
 */
import { Button, EmptyState, Paper, Skeleton } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { Failure } from "../shell/Failure.tsx"
import { IconPlus } from "../shell/icons.ts"
import { Page } from "../shell/Page.tsx"
import { useCan } from "../shell/session.ts"
import { siteFilters } from "../sites/siteFilters.ts"
import { useManySites } from "../sites/siteQueries.ts"
import { portfolioTexts as texts } from "../texts/portfolios.ts"
import { barsOf, CapacityChart } from "./CapacityChart.tsx"
import { CreatePortfoliosDialog } from "./CreatePortfoliosDialog.tsx"
import { PortfoliosTable } from "./PortfoliosTable.tsx"
import { portfoliosQuery } from "./portfolioQueries.ts"

const outside = siteFilters.read(new URLSearchParams({ portfolio: "none", sort: "createdAt" }))

const LoadedPortfolios = ({ portfolios }: { readonly portfolios: ReadonlyArray<Portfolio> }) => {
  const { complete, sites } = useManySites(outside)
  const bars = useMemo(() => {
    return barsOf(portfolios, complete ? sites.reduce((total, { capacityKw }) => total + capacityKw, 0) : 0)
  }, [portfolios, sites, complete])
  return (
    <>
      <CapacityChart bars={bars} />
      <Paper withBorder>
        <PortfoliosTable portfolios={portfolios} />
      </Paper>
    </>
  )
}

export const PortfoliosPage = () => {
  const { data: portfolios, error, refetch } = useQuery(portfoliosQuery)
  const canWrite = useCan("portfolios:write")
  const [creating, setCreating] = useState(false)
  const content = () => {
    if (portfolios === undefined) {
      return error === null ? <Skeleton height={320} /> : <Failure error={error} onRetry={() => void refetch()} />
    }
    if (portfolios.length === 0) return <EmptyState title={texts.none} description={texts.noneHint} py="xl" />
    return <LoadedPortfolios portfolios={portfolios} />
  }
  return (
    <Page
      title={texts.title}
      actions={
        canWrite && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            {texts.create}
          </Button>
        )
      }
    >
      {content()}
      {creating && <CreatePortfoliosDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}
