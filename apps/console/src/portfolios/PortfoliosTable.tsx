/**
 * One page of portfolios with their totals.
 */
import { EmptyState, Text } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import type { Column } from "../lists/DataTable.tsx"
import { ListTable } from "../lists/ListTable.tsx"
import type { ListQuery } from "../lists/useListQuery.ts"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useCanChangePortfolios } from "../shell/session.ts"
import { formatCapacity } from "../texts/capacity.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import { formatDate, formatNumber } from "../texts/formats.ts"
import { PortfolioActions } from "./PortfolioActions.tsx"
import type { PortfolioFilters, PortfolioSort } from "./portfolioFilters.ts"

const columns: ReadonlyArray<Column<Portfolio, PortfolioSort>> = [
  {
    key: "name",
    label: texts.columns.name,
    sort: "name",
    cell: ({ id, name }) => (
      <SmallLink to={`/portfolios/${id}`} fw={500} lineClamp={1} title={name}>
        {name}
      </SmallLink>
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
  const canWrite = useCanChangePortfolios()
  return (
    <ListTable
      label={texts.table}
      list={list}
      columns={columns}
      empty={<EmptyState title={texts.noneFound} py="xl" />}
      actionsOf={canWrite ? (portfolio) => <PortfolioActions portfolio={portfolio} /> : undefined}
    />
  )
}
