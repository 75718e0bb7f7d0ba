/**
 * The requirements as a table to read.
 */
import { Table } from "@mantine/core"
import type { DocumentRequirements } from "@solar-sites/http-node/client"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { documentTexts } from "../texts/documents.ts"
import { requirementTexts as texts } from "../texts/requirements.ts"

interface Props {
  readonly requirements: DocumentRequirements["requirements"]
}

export const RequirementsTable = ({ requirements }: Props) => {
  const { nameOf } = usePortfolioNames()
  return (
    <Table aria-label={texts.list}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.documentType}</Table.Th>
          <Table.Th>{texts.columns.sites}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.validityRequired}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.days}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requirements.map(({ documentType, expiringWithinDays, portfolioId, validityRequired }) => (
          <Table.Tr key={`${documentType} ${portfolioId}`}>
            <Table.Td>{documentTexts.documentTypes[documentType]}</Table.Td>
            <Table.Td style={{ overflowWrap: "anywhere" }}>
              {portfolioId === null ? texts.allSites : texts.sitesOf(nameOf(portfolioId) || texts.formerPortfolio)}
            </Table.Td>
            <Table.Td visibleFrom="sm">
              {validityRequired ? texts.validityRequired : texts.validityNotRequired}
            </Table.Td>
            <Table.Td visibleFrom="sm">{texts.daysBefore(expiringWithinDays)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
