/**
 * One site: title, actions and tabs. The tabs get the site by `useSite`.
 */
import { Button, Group, Stack, Text } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useNavigate, useOutletContext, useParams } from "react-router"
import { isProblem } from "../api/failures.ts"
import { siteCoverageQuery } from "../coverage/coverageQueries.ts"
import { healthOfSite } from "../health/Health.ts"
import { HealthLink } from "../health/HealthLink.tsx"
import { ActionButtons } from "../lists/ActionButtons.tsx"
import { Failure } from "../shell/Failure.tsx"
import { IconUpload } from "../shell/icons.ts"
import { Page } from "../shell/Page.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useCan } from "../shell/session.ts"
import { TabLinks } from "../shell/TabLinks.tsx"
import { Waiting } from "../shell/Waiting.tsx"
import { siteActions } from "../sites/SiteActions.tsx"
import { siteQuery } from "../sites/siteQueries.ts"
import { sitePageTexts as texts } from "../texts/en/site.ts"
import { uploadTexts } from "../texts/en/uploads.ts"
import { SiteUploads } from "../uploads/SiteUploads.tsx"

/** The site of the page, for its tabs. */
export const useSite = (): Site => useOutletContext<Site>()

/** The same for a site of another organisation and for one that does not exist. */
const SiteNotFound = () => (
  <Page title={texts.notFoundTitle}>
    <Text>{texts.notFound}</Text>
    <div>
      <Button component={Link} to="/sites" variant="default">
        {texts.toSites}
      </Button>
    </div>
  </Page>
)

const tabsOf = ({ id }: Site, withActivity: boolean) => [
  { to: `/sites/${id}`, label: texts.overview },
  { to: `/sites/${id}/documents`, label: texts.documents },
  { to: `/sites/${id}/coverage`, label: texts.coverage },
  ...(withActivity ? [{ to: `/sites/${id}/activity`, label: texts.activity }] : [])
]

const LoadedSite = ({ site }: { readonly site: Site }) => {
  const navigate = useNavigate()
  const canWrite = useCan("sites:write")
  const canUpload = useCan("documents:write")
  const canReadEvents = useCan("events:read")
  const { data: items = [] } = useQuery(siteCoverageQuery(site.id))
  const actions = (
    <Group gap="xs">
      {canUpload && (
        <Button component={Link} to="?upload" preventScrollReset leftSection={<IconUpload size={16} aria-hidden />}>
          {uploadTexts.open}
        </Button>
      )}
      <ActionButtons
        actions={siteActions(site, texts, () => navigate("/sites", { replace: true })).map((action) => ({
          ...action,
          isOffered: canWrite
        }))}
      />
    </Group>
  )
  const back = (
    <Group gap="md" component="span">
      <SmallLink to="/sites">{texts.back}</SmallLink>
      <HealthLink to={`/sites/${site.id}/coverage`} health={healthOfSite({ items })} />
    </Group>
  )
  return (
    <Page
      title={site.siteName}
      description={back}
      actions={actions}
      tabs={<TabLinks label={texts.tabs} tabs={tabsOf(site, canReadEvents)} />}
    >
      <Outlet context={site} />
      {canUpload && <SiteUploads site={site} />}
    </Page>
  )
}

export const SitePage = () => {
  const { siteId = "" } = useParams()
  const { data: site, error, refetch } = useQuery(siteQuery(siteId))
  if (isProblem(error, "site_not_found")) return <SiteNotFound />
  if (site !== undefined) return <LoadedSite key={site.id} site={site} />
  return error === null ? (
    <Waiting />
  ) : (
    <Stack>
      <Failure error={error} onRetry={() => void refetch()} />
    </Stack>
  )
}
