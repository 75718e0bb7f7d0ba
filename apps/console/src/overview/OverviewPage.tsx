/**
 * The first page: totals, what needs work, and the latest changes. Each part reads its own data, and
 * fails alone.
 */
import { Grid, Skeleton, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { ActivityList } from "../activity/ActivityList.tsx"
import { isFirstRead } from "../api/isFirstRead.ts"
import { SampleNotice } from "../sample-data/SampleNotice.tsx"
import { Page } from "../shell/Page.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useCan } from "../shell/session.ts"
import { overviewTexts as texts } from "../texts/en/overview.ts"
import { NewEndingsNotice } from "../validity/NewEndingsNotice.tsx"
import { CapacitySection } from "./CapacitySection.tsx"
import { DocumentsSection } from "./DocumentsSection.tsx"
import { overviewQuery } from "./overviewQueries.ts"
import { RequiredSection } from "./RequiredSection.tsx"
import { StartSection } from "./StartSection.tsx"
import { TotalsSection } from "./TotalsSection.tsx"

const newestEvents = 8

const ActivitySection = () => (
  <Section title={texts.activity} actions={<SmallLink to="/company/activity">{texts.allActivity}</SmallLink>}>
    <ActivityList filter={{}} newest={newestEvents} />
  </Section>
)

export const OverviewPage = () => {
  const canReadEvents = useCan("events:read")
  const canReadCoverage = useCan("requirements:read")
  const isReading = isFirstRead(useQuery(overviewQuery))
  return (
    <Page title={texts.title}>
      {isReading && <Skeleton height={320} />}
      {/* The parts read their data meanwhile. Shown one after the other, each would move those below. */}
      <Stack gap="lg" display={isReading ? "none" : undefined}>
        <StartSection />
        <SampleNotice />
        <NewEndingsNotice />
        <TotalsSection />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack gap="md">
              <CapacitySection />
              {canReadEvents && <ActivitySection />}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack gap="md">
              {canReadCoverage && <RequiredSection />}
              <DocumentsSection />
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </Page>
  )
}
