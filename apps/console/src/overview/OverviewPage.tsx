/**
 * The first page: totals, what needs work, and the latest changes. Each part reads its own data, and
 * fails alone.
 */
import { Grid, Stack } from "@mantine/core"
import { ActivityList } from "../activity/ActivityList.tsx"
import { SampleNotice } from "../sample-data/SampleNotice.tsx"
import { Page } from "../shell/Page.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useCan } from "../shell/session.ts"
import { overviewTexts as texts } from "../texts/en/overview.ts"
import { NewEndingsNotice } from "../validity/NewEndingsNotice.tsx"
import { CapacitySection } from "./CapacitySection.tsx"
import { DocumentsSection } from "./DocumentsSection.tsx"
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
  return (
    <Page title={texts.title}>
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
    </Page>
  )
}
