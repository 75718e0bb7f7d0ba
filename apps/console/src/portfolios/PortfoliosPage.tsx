/**
 * The portfolios of the organisation, and the capacity of each.
 */
import { Button, EmptyState, Group, Skeleton, Stack } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { client } from "../api/client.ts"
import { isFirstRead } from "../api/isFirstRead.ts"
import { ListToolbar } from "../lists/ListToolbar.tsx"
import { useListQuery } from "../lists/useListQuery.ts"
import { overviewQuery } from "../overview/overviewQueries.ts"
import { CsvButton } from "../shell/CsvButton.tsx"
import { IconPlus } from "../shell/icons.ts"
import { Page } from "../shell/Page.tsx"
import { useCanChangePortfolios } from "../shell/session.ts"
import { useOpenedBy } from "../shell/useOpenedBy.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import { CapacityChart } from "./CapacityChart.tsx"
import { CreatePortfoliosDialog } from "./CreatePortfoliosDialog.tsx"
import { capacityBars } from "./capacityBars.ts"
import { PortfoliosTable } from "./PortfoliosTable.tsx"
import { type PortfolioFilters, portfolioFilters } from "./portfolioFilters.ts"
import { portfoliosQuery } from "./portfolioQueries.ts"
import { portfolioTotal } from "./portfolioTotal.ts"

const queryOf = ({ descending, search, sort }: PortfolioFilters) => {
  const q = search.trim()
  return { ...(q === "" ? {} : { q }), sort, order: descending ? ("desc" as const) : ("asc" as const) }
}

const usePortfolioList = () =>
  useListQuery({
    ...portfolioFilters,
    key: ["portfolios", "list"],
    searchOf: ({ search }) => search,
    readPage: (filters, paging, options) => client.portfolios.list({ ...queryOf(filters), ...paging }, options)
  })

export const PortfoliosPage = () => {
  const list = usePortfolioList()
  const { change, cursor, filters, isOutdated, items, nextCursor } = list
  const all = useQuery(portfoliosQuery)
  const overview = useQuery(overviewQuery)
  const isReading = isFirstRead(all) || isFirstRead(overview)
  const portfolios = all.data
  const outsideKw = overview.data?.withoutPortfolio.capacityKw ?? 0
  const bars = useMemo(() => capacityBars(portfolios ?? [], outsideKw), [portfolios, outsideKw])
  const canWrite = useCanChangePortfolios()
  const creating = useOpenedBy("new", canWrite)
  const isWhole = cursor === "" && nextCursor === null && filters.search.trim() === ""
  const hasNone = isWhole && items?.length === 0 && !isOutdated
  const statusOf = (shown: ReadonlyArray<Portfolio>): string =>
    isWhole ? portfolioTotal(shown) : texts.shown(portfolioTotal(shown), portfolios && portfolioTotal(portfolios))
  return (
    <Page
      title={texts.title}
      actions={
        <Group gap="xs">
          <CsvButton path={`/api/portfolios?${new URLSearchParams(queryOf(filters))}`} fileName="portfolios.csv" />
          {canWrite && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
              {texts.create}
            </Button>
          )}
        </Group>
      }
    >
      {portfolios !== undefined && portfolios.length > 0 && !isReading && <CapacityChart bars={bars} />}
      {isReading ? (
        // A list that is there before the chart would move down below the reader.
        <Skeleton height={320} />
      ) : hasNone ? (
        <EmptyState title={texts.none} description={texts.noneHint} py="xl" />
      ) : (
        <Stack gap="sm">
          <ListToolbar
            label={texts.search}
            search={filters.search}
            onSearch={(search) => change({ search })}
            status={items === undefined || isOutdated ? "" : statusOf(items)}
          />
          <PortfoliosTable list={list} />
        </Stack>
      )}
      {creating.opened && <CreatePortfoliosDialog onClose={creating.close} />}
    </Page>
  )
}
