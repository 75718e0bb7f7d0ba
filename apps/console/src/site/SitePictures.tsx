/**
 * The cover image of a site and its place on the map.
 */
import { Anchor, Button, Paper, Stack, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Site } from "@solar-sites/http-node/client"
import { useMemo, useState } from "react"
import { client } from "../api/client.ts"
import { MapFrame } from "../map/MapFrame.tsx"
import { boundsOf, markOf } from "../map/Marks.ts"
import mapClasses from "../map/SitesMap.module.css"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useCan } from "../shell/session.ts"
import { rememberSites } from "../sites/siteQueries.ts"
import { sitePageTexts as texts } from "../texts/en/site.ts"
import classes from "./Site.module.css"

const Cover = ({ site, url }: { readonly site: Site; readonly url: string }) => {
  const [broken, setBroken] = useState(false)
  const canWrite = useCan("sites:write")
  const [removing, setRemoving] = useState(false)
  const remove = async () => {
    rememberSites([await client.sites.update(site.id, { coverImageUrl: null }, { expectedVersion: site.version })])
    notifications.show({ message: texts.coverRemoved })
  }
  return (
    <Stack gap={6}>
      {broken ? (
        <Text size="sm" c="dimmed">
          {texts.coverBroken}{" "}
          <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>
            {texts.coverOpen}
          </Anchor>
        </Text>
      ) : (
        <img
          className={classes.cover}
          src={url}
          // No referrer, so that the image host does not learn addresses of the console.
          referrerPolicy="no-referrer"
          alt={texts.coverOf(site.siteName)}
          onError={() => setBroken(true)}
        />
      )}
      {canWrite && (
        <div>
          <Button size="compact-xs" variant="subtle" onClick={() => setRemoving(true)}>
            {texts.removeCover}
          </Button>
        </div>
      )}
      {removing && (
        <ConfirmDialog
          title={texts.removeCoverTitle}
          action={texts.removeCover}
          onClose={() => setRemoving(false)}
          onConfirm={remove}
        >
          <Text size="sm">{texts.removeCoverHint}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  )
}

export const SitePictures = ({ site }: { readonly site: Site }) => {
  const { id, latitude, longitude, siteName } = site
  const marks = useMemo(
    () => (latitude === null || longitude === null ? [] : [markOf({ latitude, longitude }, { id, siteName })]),
    [id, latitude, longitude, siteName]
  )
  const fit = useMemo(() => ({ bounds: boundsOf(marks) }), [marks])
  return (
    <Stack gap="sm">
      {site.coverImageUrl === null ? (
        <Paper withBorder p="md">
          <Text size="sm" c="dimmed">
            {texts.noCover} {texts.noCoverHint}
          </Text>
        </Paper>
      ) : (
        <Cover key={site.coverImageUrl} site={site} url={site.coverImageUrl} />
      )}
      {marks.length > 0 && <MapFrame className={mapClasses.small} marks={marks} fit={fit} />}
    </Stack>
  )
}
