/**
 * Numbers of the records of the organisation.
 */
import { SimpleGrid, Skeleton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Failure } from "../shell/Failure.tsx"
import { Figure } from "../shell/Figure.tsx"
import { Section } from "../shell/Section.tsx"
import { companyTexts as texts } from "../texts/en/company.ts"
import { formatBytes, formatNumber } from "../texts/formats.ts"
import { organisationUseQuery } from "./organisationUseQuery.ts"

export const UseSection = () => {
  const { data, error, refetch } = useQuery(organisationUseQuery)
  const figures = data !== undefined && (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
      <Figure name={texts.sites} value={texts.count(data.sites)} to="/sites" />
      <Figure name={texts.portfolios} value={formatNumber(data.portfolios)} to="/portfolios" />
      <Figure name={texts.documents} value={texts.count(data.documents)} />
      <Figure
        name={texts.bytes}
        value={formatBytes(data.bytes)}
        hint={data.measuredDocuments < data.documents ? texts.measured(data.measuredDocuments) : undefined}
      />
      <Figure name={texts.users} value={formatNumber(data.users)} to="/company/people" />
      <Figure name={texts.apiKeys} value={formatNumber(data.apiKeys)} hint={texts.atMost(data.limits.apiKeys)} />
      <Figure name={texts.webhooks} value={formatNumber(data.webhooks)} hint={texts.atMost(data.limits.webhooks)} />
    </SimpleGrid>
  )
  return (
    <Section title={texts.use}>
      {figures || (error === null ? <Skeleton height={120} /> : <Failure error={error} onRetry={refetch} />)}
    </Section>
  )
}
