/**
 * First tab of a site: data, pictures, required documents in short.
 */
import { Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { ActivityList } from "../activity/ActivityList.tsx"
import { isCovered, siteCoverageQuery } from "../coverage/coverageQueries.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { NotRead } from "../shell/NotRead.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useCan } from "../shell/session.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { sitePageTexts as texts } from "../texts/en/site.ts"
import classes from "./Site.module.css"
import { SiteDetails } from "./SiteDetails.tsx"
import { useSite } from "./SitePage.tsx"
import { SitePictures } from "./SitePictures.tsx"

const Coverage = ({ siteId }: { readonly siteId: string }) => {
  const { data: items, error, refetch } = useQuery(siteCoverageQuery(siteId))
  if (items === undefined) return <NotRead height={40} error={error} onRetry={refetch} />
  // An expiring document is there, and needs work as well.
  const open = items.filter((item) => !isCovered(item))
  const shown = items.filter(({ state }) => state !== "valid")
  if (items.length === 0) return <Text size="sm">{texts.noRequirements}</Text>
  return (
    <>
      <Text size="sm">{open.length === 0 ? texts.complete : texts.incomplete(open.length)}</Text>
      {shown.length > 0 && (
        <ul className={classes.gaps}>
          {shown.slice(0, 6).map(({ documentType, state }) => (
            <li key={documentType}>
              <Text size="sm" span>
                {documentTexts.documentTypes[documentType]}
              </Text>
              <HealthSignal state={state} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export const SiteOverview = () => {
  const site = useSite()
  const canReadEvents = useCan("events:read")
  return (
    <div className={classes.site}>
      <Stack gap="md">
        <SiteDetails site={site} />
        <Section
          title={texts.requiredDocuments}
          actions={<SmallLink to={`/sites/${site.id}/coverage`}>{texts.allCoverage}</SmallLink>}
        >
          <Coverage siteId={site.id} />
        </Section>
        {canReadEvents && (
          <Section
            title={texts.latest}
            actions={<SmallLink to={`/sites/${site.id}/activity`}>{texts.allActivity}</SmallLink>}
          >
            <ActivityList filter={{ siteId: site.id }} newest={5} />
          </Section>
        )}
      </Stack>
      <SitePictures site={site} />
    </div>
  )
}
