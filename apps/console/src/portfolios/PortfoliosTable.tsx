/**
 * One page of portfolios with their totals.
 */
import { Anchor, EmptyState, Paper, Skeleton, Text } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { Link } from "react-router"
import { type Column, DataTable } from "../lists/DataTable.tsx"
import type { ListQuery } from "../lists/useListQuery.ts"
import { Failure } from "../shell/Failure.tsx"
import { useCan } from "../shell/session.ts"
import { formatCapacity } from "../texts/capacity.ts"
import { formatDate, formatNumber } from "../texts/formats.ts"
import { portfolioTexts as texts } from "../texts/portfolios.ts"
import { PortfolioActions } from "./PortfolioActions.tsx"
import type { PortfolioFilters, PortfolioSort } from "./portfolioFilters.ts"

const columns: ReadonlyArray<Column<Portfolio, PortfolioSort>> = [
  {
    key: "name",
    label: texts.columns.name,
    sort: "name",
    cell: ({ id, name }) => (
      <Anchor component={Link} to={`/portfolios/${id}`} size="sm" fw={500}>
        {name}
      </Anchor>
    )
  },
  {
    key: "externalId",
    label: texts.columns.externalId,
    wide: true,
    cell: ({ externalId }) => (
      <Text size="sm" c="dimmed">
        {externalId}
      </Text>
    )
  },
  {
    key: "sites",
    label: texts.columns.sites,
    numeric: true,
    cell: ({ siteCount }) => formatNumber(siteCount)
  },
  {
    key: "capacity",
    label: texts.columns.capacity,
    numeric: true,
    cell: ({ capacityKw }) => formatCapacity(capacityKw)
  },
  {
    key: "created",
    label: texts.columns.createdAt,
    sort: "createdAt",
    numeric: true,
    wide: true,
    cell: ({ createdAt }) => formatDate(createdAt)
  },
  {
    key: "updated",
    label: texts.columns.updatedAt,
    sort: "updatedAt",
    numeric: true,
    wide: true,
    cell: ({ updatedAt }) => formatDate(updatedAt)
  }
]

export const PortfoliosTable = ({ list }: { readonly list: ListQuery<PortfolioFilters, Portfolio> }) => {
  const { change, error, filters, isOutdated, items, retry } = list
  const canWrite = useCan("portfolios:write")
  if (items === undefined) return error === null ? <Skeleton height={320} /> : <Failure error={error} onRetry={retry} />
  if (items.length === 0 && !isOutdated) return <EmptyState title={texts.noneFound} py="xl" />
  return (
    <Paper withBorder>
      <DataTable
        label={texts.table}
        columns={columns}
        items={items}
        isOutdated={isOutdated}
        order={filters}
        onOrder={change}
        actionsOf={canWrite ? (portfolio) => <PortfolioActions portfolio={portfolio} /> : undefined}
      />
    </Paper>
  )
}
