/**
 * One site: data, map, cover and documents.
 */
import { Anchor, Button, Group, Stack, Text } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link, useNavigate, useParams } from "react-router"
import { isProblem } from "../api/failures.ts"
import { DocumentsSection } from "../documents/DocumentsSection.tsx"
import { Failure } from "../shell/Failure.tsx"
import { IconPencil, IconTrash } from "../shell/icons.ts"
import { Page } from "../shell/Page.tsx"
import { useCan } from "../shell/session.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { siteTexts as texts } from "../texts/sites.ts"
import { DeleteSiteDialog } from "./DeleteSiteDialog.tsx"
import { SiteDetails } from "./SiteDetails.tsx"
import { SiteFormDialog } from "./SiteFormDialog.tsx"
import { SitePictures } from "./SitePictures.tsx"
import classes from "./Sites.module.css"
import { siteQuery } from "./siteQueries.ts"

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

const LoadedSite = ({ site }: { readonly site: Site }) => {
  const [dialog, setDialog] = useState<"edit" | "delete">()
  const navigate = useNavigate()
  const canWrite = useCan("sites:write")
  const close = () => setDialog(undefined)
  const actions = canWrite && (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog("edit")}>
        {texts.edit}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDialog("delete")}>
        {texts.delete}
      </Button>
    </Group>
  )
  const back = (
    <Anchor component={Link} to="/sites" size="sm">
      {texts.back}
    </Anchor>
  )
  return (
    <Page title={site.siteName} description={back} actions={actions}>
      <div className={classes.site}>
        <SiteDetails site={site} />
        <SitePictures site={site} />
      </div>
      <DocumentsSection siteId={site.id} />
      {dialog === "edit" && <SiteFormDialog site={site} onClose={close} />}
      {dialog === "delete" && (
        <DeleteSiteDialog site={site} onClose={close} onDeleted={() => navigate("/sites", { replace: true })} />
      )}
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
