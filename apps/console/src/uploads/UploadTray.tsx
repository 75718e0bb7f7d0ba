/**
 * The uploads of all sites, at the bottom of every page.
 */
import { ActionIcon, Alert, Button, Group, Paper, Progress, Text, VisuallyHidden } from "@mantine/core"
import { useNetwork } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useDeferredValue, useState } from "react"
import { IconChevronDown, IconChevronUp } from "../shell/icons.ts"
import { SmallLink } from "../shell/SmallLink.tsx"
import { siteQuery } from "../sites/siteQueries.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import { canRetry, isUnderWay, type Upload } from "./Upload.ts"
import { UploadRow } from "./UploadRow.tsx"
import classes from "./UploadTray.module.css"
import { uploadQueue, useUploads } from "./useUploads.ts"

type Uploads = ReadonlyArray<Upload>

// Rows per state. The others are counted, so that hundreds of files stay as quick as ten.
const rows = { faulty: 20, waiting: 8, uploaded: 8 }

const parts = (uploads: Uploads) => {
  const uploaded = uploads.filter(({ state }) => state === "uploaded")
  const waiting = uploads.filter(({ state }) => state === "waiting")
  const active = uploads.filter(({ state }) => state === "sending" || state === "checking")
  return {
    active,
    waiting,
    uploaded,
    faulty: uploads.filter(({ fault, state }) => fault !== null || state === "stopped")
  }
}

const More = ({ count, text }: { readonly count: number; readonly text: (count: number) => string }) =>
  count > 0 ? (
    <li>
      <Text size="xs" c="dimmed">
        {text(count)}
      </Text>
    </li>
  ) : null

const Rows = ({ uploads }: { readonly uploads: Uploads }) =>
  uploads.map((upload) => <UploadRow key={upload.id} upload={upload} />)

const SiteGroup = ({ siteId, uploads }: { readonly siteId: string; readonly uploads: Uploads }) => {
  const { data: site } = useQuery(siteQuery(siteId))
  const { active, faulty, uploaded, waiting } = parts(uploads)
  const again = uploads.filter(canRetry).length
  const stopped = uploads.filter(({ state }) => state === "stopped").length
  return (
    <section className={classes.group} aria-label={site?.siteName ?? texts.tray}>
      <Group justify="space-between" gap={4}>
        <SmallLink to={`/sites/${siteId}/documents`} fw={600} className={classes.name}>
          {site?.siteName ?? "…"}
        </SmallLink>
        <Text size="xs" c="dimmed">
          {texts.summary(uploaded.length, uploads.length)}
        </Text>
      </Group>
      <Group gap={4}>
        {again > 1 && (
          <Button size="compact-xs" onClick={() => void uploadQueue.retryAll(siteId)}>
            {texts.retryAll(again)}
          </Button>
        )}
        {active.length + waiting.length > 1 && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              for (const { id } of uploads.filter(isUnderWay)) uploadQueue.stop(id)
            }}
          >
            {texts.stopAll}
          </Button>
        )}
        {uploaded.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => uploadQueue.dismissEnded(siteId, "uploaded")}>
            {texts.dismissUploaded}
          </Button>
        )}
        {stopped > 1 && (
          <Button size="compact-xs" variant="subtle" onClick={() => uploadQueue.dismissEnded(siteId, "stopped")}>
            {texts.dismissStopped}
          </Button>
        )}
      </Group>
      <ul className={classes.uploads}>
        <Rows uploads={faulty.slice(0, rows.faulty)} />
        <More count={faulty.length - rows.faulty} text={texts.moreFaulty} />
        <Rows uploads={active} />
        <Rows uploads={waiting.slice(0, rows.waiting)} />
        <More count={waiting.length - rows.waiting} text={texts.moreWaiting} />
        <Rows uploads={uploaded.slice(-rows.uploaded).toReversed()} />
        <More count={uploaded.length - rows.uploaded} text={texts.moreUploaded} />
      </ul>
    </section>
  )
}

const percentOf = (uploads: Uploads): number => {
  const total = uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sent = uploads.reduce((sum, { sentBytes }) => sum + sentBytes, 0)
  return total === 0 ? 100 : (sent / total) * 100
}

export const UploadTray = () => {
  // Rendered in slices, so that the page stays quick.
  const uploads = useDeferredValue(useUploads())
  const { online } = useNetwork()
  const [collapsed, setCollapsed] = useState(false)
  const { active, faulty, uploaded, waiting } = parts(uploads)
  const left = active.length + waiting.length
  const title =
    left > 0 ? texts.trayUnderWay(left) : faulty.length > 0 ? texts.trayFaults(faulty.length) : texts.trayDone
  const bySite = Map.groupBy(uploads, ({ terms }) => terms.siteId)
  const Chevron = collapsed ? IconChevronUp : IconChevronDown
  return (
    <Paper withBorder shadow="md" component="section" aria-label={texts.tray} className={classes.tray}>
      <Group justify="space-between" wrap="nowrap" px="sm" py={8}>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={collapsed ? texts.expand : texts.collapse}
          aria-expanded={!collapsed}
          onClick={() => setCollapsed(!collapsed)}
        >
          <Chevron size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {/* Spoken at the end only: hundreds of files would be hundreds of messages. */}
      <VisuallyHidden role="status">
        {left === 0 && `${title}. ${texts.summary(uploaded.length, uploads.length)}`}
      </VisuallyHidden>
      {left > 0 && <Progress value={percentOf(uploads)} size={3} radius={0} aria-hidden />}
      {!collapsed && (
        <div className={classes.groups}>
          {!online && (
            <Alert color="orange" role="status" p="xs">
              {texts.offline}
            </Alert>
          )}
          {[...bySite].map(([siteId, ofSite]) => (
            <SiteGroup key={siteId} siteId={siteId} uploads={ofSite} />
          ))}
        </div>
      )}
    </Paper>
  )
}
