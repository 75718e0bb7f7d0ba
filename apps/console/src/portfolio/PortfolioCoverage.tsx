/**
 * Required documents of the sites of a portfolio: sites per document and state.
 */
import { Table, Text } from "@mantine/core"
import type { CoverageSummary } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { coverageSummaryQuery } from "../coverage/coverageQueries.ts"
import { NoRequirements } from "../coverage/NoRequirements.tsx"
import { coverageStates } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { NotRead } from "../shell/NotRead.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { documentTexts } from "../texts/en/documents.ts"
import { portfolioPageTexts as texts } from "../texts/en/portfolio.ts"
import { formatNumber } from "../texts/formats.ts"
import classes from "./Portfolio.module.css"

interface Props {
  readonly portfolioId: string
}

const Counts = ({ portfolioId, summary }: Props & { readonly summary: CoverageSummary }) => {
  const shown = coverageStates.filter((state) => summary.documentTypes.some((counts) => counts[state] > 0))
  return (
    <div className={classes.coverage}>
      <Table aria-label={texts.coverage} verticalSpacing={5}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{documentTexts.documentType}</Table.Th>
            {shown.map((state) => (
              <Table.Th key={state} className={classes.number}>
                <HealthSignal state={state} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {summary.documentTypes.map((counts) => (
            <Table.Tr key={counts.documentType}>
              <Table.Td>{documentTexts.documentTypes[counts.documentType]}</Table.Td>
              {shown.map((state) => (
                <Table.Td key={state} className={classes.number}>
                  {counts[state] > 0 && (
                    <SmallLink
                      to={`/coverage?${new URLSearchParams({ portfolio: portfolioId, state, documentType: counts.documentType })}`}
                    >
                      {formatNumber(counts[state])}
                    </SmallLink>
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

export const PortfolioCoverage = ({ portfolioId }: Props) => {
  const { data: summary, error, refetch } = useQuery(coverageSummaryQuery({ portfolioId }))
  const content = () => {
    if (summary === undefined) return <NotRead height={120} error={error} onRetry={refetch} />
    if (summary.documentTypes.length === 0) return <NoRequirements texts={texts} />
    return (
      <>
        <Text size="sm">{texts.complete(summary.completeCount, summary.siteCount)}</Text>
        {summary.siteCount > 0 && <Counts portfolioId={portfolioId} summary={summary} />}
      </>
    )
  }
  return (
    <Section
      title={texts.coverage}
      actions={<SmallLink to={`/coverage?portfolio=${portfolioId}`}>{texts.matrix}</SmallLink>}
    >
      {content()}
    </Section>
  )
}
