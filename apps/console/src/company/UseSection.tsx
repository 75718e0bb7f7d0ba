/**
 * Stored files of the organisation. The tabs and pages of other records show their numbers.
 */
import { SimpleGrid } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"
import { Figure } from "../shell/Figure.tsx"
import { NotRead } from "../shell/NotRead.tsx"
import { Section } from "../shell/Section.tsx"
import { companyTexts as texts } from "../texts/en/company.ts"
import { formatBytes } from "../texts/formats.ts"

export const UseSection = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["organisation-use"],
    queryFn: () => ask("GET /console/organisation/use")
  })
  const figures = data !== undefined && (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
      <Figure name={texts.documents} value={texts.count(data.documents)} to="/documents/all" />
      <Figure
        name={texts.bytes}
        value={formatBytes(data.bytes)}
        hint={data.measuredDocuments < data.documents ? texts.measured(data.measuredDocuments) : undefined}
      />
    </SimpleGrid>
  )
  return <Section title={texts.use}>{figures || <NotRead height={60} error={error} onRetry={refetch} />}</Section>
}
