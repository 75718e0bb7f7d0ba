/**
 * Required documents: incomplete sites, states, and documents to renew first.
 */
import { Group, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "react-router"
import { coverageSummaryQuery } from "../coverage/coverageQueries.ts"
import { documentPath } from "../documents/documentPaths.ts"
import { coverageStates } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { NotRead } from "../shell/NotRead.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { documentTexts } from "../texts/en/documents.ts"
import { overviewTexts as texts } from "../texts/en/overview.ts"
import { formatDay, formatNumber } from "../texts/formats.ts"
import classes from "./Overview.module.css"
import { sitesToRenewQuery } from "./overviewQueries.ts"

const ToRenew = () => {
  const { data, error, refetch } = useQuery(sitesToRenewQuery)
  if (data === undefined) return <NotRead height={60} error={error} onRetry={refetch} />
  if (data.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600} component="h3">
        {texts.toRenew}
      </Text>
      <ul className={classes.rows}>
        {data.map(({ documentId, documentType, siteId, siteName, state, validUntil }) => (
          <li key={`${siteId} ${documentType}`} className={classes.row}>
            <SmallLink
              to={documentId === null ? `/sites/${siteId}/coverage` : documentPath({ id: documentId, siteId })}
              className={classes.name}
            >
              {siteName} · {documentTexts.documentTypes[documentType]}
            </SmallLink>
            <Group gap="xs" wrap="nowrap">
              <HealthSignal state={state} />
              {validUntil !== null && (
                <Text size="xs" c="dimmed" className={classes.day}>
                  {texts.validUntil(formatDay(validUntil))}
                </Text>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Summary = () => {
  const { data, error, refetch } = useQuery(coverageSummaryQuery({}))
  if (data === undefined) return <NotRead height={160} error={error} onRetry={refetch} />
  if (data.documentTypes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.noRequirements}{" "}
        <SmallLink to="/company/requirements" underline="always">
          {texts.requirements}
        </SmallLink>
      </Text>
    )
  }
  const counts = coverageStates.map((state) => ({
    state,
    count: data.documentTypes.reduce((sum, ofType) => sum + ofType[state], 0)
  }))
  return (
    <Stack gap="sm">
      <Text size="sm">{texts.incomplete(data.siteCount - data.completeCount)}</Text>
      <ul className={classes.rows}>
        {counts
          .filter(({ count }) => count > 0)
          .map(({ count, state }) => (
            <li key={state} className={classes.row}>
              <Link to={`/coverage?state=${state}`} className={classes.state}>
                <HealthSignal state={state} />
              </Link>
              <Text size="sm" className={classes.day}>
                {formatNumber(count)}
              </Text>
            </li>
          ))}
      </ul>
      <ToRenew />
    </Stack>
  )
}

export const RequiredSection = () => (
  <Section title={texts.coverage} actions={<SmallLink to="/coverage">{texts.coverageLink}</SmallLink>}>
    <Summary />
  </Section>
)
