/**
 * The totals of the organisation.
 */
import { Paper, SimpleGrid } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { coverageSummaryQuery } from "../coverage/coverageQueries.ts"
import { Figure } from "../shell/Figure.tsx"
import { NotRead } from "../shell/NotRead.tsx"
import { useCan } from "../shell/session.ts"
import { formatCapacity } from "../texts/capacity.ts"
import { overviewTexts as texts } from "../texts/en/overview.ts"
import { formatNumber } from "../texts/formats.ts"
import { overviewQuery } from "./overviewQueries.ts"

const CompleteSites = () => {
  const { data } = useQuery(coverageSummaryQuery({}))
  if (data === undefined) return <Figure name={texts.complete} value="–" />
  return <Figure name={texts.complete} value={texts.completeOf(data.completeCount, data.siteCount)} to="/coverage" />
}

export const TotalsSection = () => {
  const { data, error, refetch } = useQuery(overviewQuery)
  const canReadCoverage = useCan("requirements:read")
  if (data === undefined) return <NotRead height={84} error={error} onRetry={refetch} />
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.totals}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
        <Figure name={texts.sites} value={formatNumber(data.siteCount)} to="/sites" />
        <Figure name={texts.capacity} value={formatCapacity(data.capacityKw)} />
        {canReadCoverage && data.requirements > 0 && <CompleteSites />}
        <Figure name={texts.toReview} value={formatNumber(data.documents.uploaded)} to="/documents" />
      </SimpleGrid>
    </Paper>
  )
}
