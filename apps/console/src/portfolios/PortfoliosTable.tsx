/**
 * The portfolios with their totals.
 */
import { Anchor, Group, Table } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { Link } from "react-router"
import { useCan } from "../shell/session.ts"
import { formatCapacity } from "../texts/capacity.ts"
import { formatNumber } from "../texts/formats.ts"
import { portfolioTexts as texts } from "../texts/portfolios.ts"
import { PortfolioActions } from "./PortfolioActions.tsx"
import classes from "./Portfolios.module.css"

export const PortfoliosTable = ({ portfolios }: { readonly portfolios: ReadonlyArray<Portfolio> }) => {
  const canWrite = useCan("portfolios:write")
  return (
    <Table aria-label={texts.table} highlightOnHover verticalSpacing={5}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.name}</Table.Th>
          <Table.Th className={classes.number}>{texts.columns.sites}</Table.Th>
          <Table.Th className={classes.number}>{texts.columns.capacity}</Table.Th>
          <Table.Td w={48} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {portfolios.map((portfolio) => (
          <Table.Tr key={portfolio.id}>
            <Table.Td className={classes.name}>
              <Anchor component={Link} to={`/sites?portfolio=${portfolio.id}`} size="sm" fw={500}>
                {portfolio.name}
              </Anchor>
            </Table.Td>
            <Table.Td className={classes.number}>{formatNumber(portfolio.siteCount)}</Table.Td>
            <Table.Td className={classes.number}>{formatCapacity(portfolio.capacityKw)}</Table.Td>
            <Table.Td>
              <Group justify="flex-end">{canWrite && <PortfolioActions portfolio={portfolio} />}</Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      {portfolios.length > 1 && (
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>{texts.total}</Table.Th>
            <Table.Th className={classes.number}>
              {formatNumber(portfolios.reduce((total, { siteCount }) => total + siteCount, 0))}
            </Table.Th>
            <Table.Th className={classes.number}>
              {formatCapacity(portfolios.reduce((total, { capacityKw }) => total + capacityKw, 0))}
            </Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Tfoot>
      )}
    </Table>
  )
}
