/**
 * The requirements as a table to read.
 */
import { Table } from "@mantine/core"
import type { DocumentRequirements } from "@solar-sites/http-node/client"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { requirementTexts as texts } from "../texts/en/requirements.ts"

interface Props {
  readonly requirements: DocumentRequirements["requirements"]
}

export const RequirementsHead = ({ withActions = false }: { readonly withActions?: boolean }) => (
  <Table.Thead>
    <Table.Tr>
      <Table.Th>{texts.columns.documentType}</Table.Th>
      <Table.Th>{texts.columns.sites}</Table.Th>
      <Table.Th visibleFrom="sm">{texts.columns.validityRequired}</Table.Th>
      <Table.Th visibleFrom="sm">{texts.columns.days}</Table.Th>
      {withActions && <Table.Td w={90} />}
    </Table.Tr>
  </Table.Thead>
)

interface CellsProps {
  readonly type: string
  readonly sites: string
  readonly validityRequired: boolean
  readonly days: string
}

export const RequirementCells = ({ days, sites, type, validityRequired }: CellsProps) => (
  <>
    <Table.Td>{type}</Table.Td>
    <Table.Td style={{ overflowWrap: "anywhere" }}>{sites}</Table.Td>
    <Table.Td visibleFrom="sm">{validityRequired ? texts.validityRequired : texts.validityNotRequired}</Table.Td>
    <Table.Td visibleFrom="sm">{days}</Table.Td>
  </>
)

export const RequirementsTable = ({ requirements }: Props) => {
  const { nameOf } = usePortfolioNames()
  return (
    <Table aria-label={texts.list}>
      <RequirementsHead />
      <Table.Tbody>
        {requirements.map(({ documentType, expiringWithinDays, portfolioId, validityRequired }) => (
          <Table.Tr key={`${documentType} ${portfolioId}`}>
            <RequirementCells
              type={documentTexts.documentTypes[documentType]}
              sites={portfolioId === null ? texts.allSites : nameOf(portfolioId) || texts.formerPortfolio}
              validityRequired={validityRequired}
              days={texts.daysBefore(expiringWithinDays)}
            />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
