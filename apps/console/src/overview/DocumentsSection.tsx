/**
 * The documents of the organisation by state.
 */
import { Skeleton, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { OrganisationOverview } from "../api/Console.ts"
import { Detail, Details } from "../shell/Details.tsx"
import { Failure } from "../shell/Failure.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { documentTexts } from "../texts/en/documents.ts"
import { overviewTexts as texts } from "../texts/en/overview.ts"
import { formatNumber } from "../texts/formats.ts"
import { overviewQuery } from "./overviewQueries.ts"

const counted = 100_000
const states = ["uploaded", "approved", "completed", "pending", "failed"] as const

const Counts = ({ documents }: Pick<OrganisationOverview, "documents">) => {
  const total = states.reduce((sum, state) => sum + documents[state], 0)
  if (total === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.noDocuments}
      </Text>
    )
  }
  return (
    <>
      <Details>
        {states.map((state) => (
          <Detail key={state} name={documentTexts.states[state]}>
            <SmallLink to={`/documents/all?state=${state}`}>{formatNumber(documents[state])}</SmallLink>
          </Detail>
        ))}
      </Details>
      {total >= counted && (
        <Text size="xs" c="dimmed">
          {texts.newestDocuments}
        </Text>
      )}
    </>
  )
}

export const DocumentsSection = () => {
  const { data, error, refetch } = useQuery(overviewQuery)
  return (
    <Section title={texts.documents}>
      {data !== undefined && <Counts documents={data.documents} />}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
    </Section>
  )
}
