/**
 * The files on their way to storage, with their progress.
 */
import { ActionIcon, Alert, Button, Group, Paper, Progress, Stack, Text, Title } from "@mantine/core"
import { useNetwork } from "@mantine/hooks"
import { IconCheck, IconRefresh, IconX } from "../shell/icons.ts"
import { uploadTexts as texts } from "../texts/documents.ts"
import { formatBytes } from "../texts/formats.ts"
import classes from "./Documents.module.css"
import { isUnderWay, type Upload, type UploadState } from "./Upload.ts"
import { uploadQueue, useUploads } from "./useUploads.ts"

const colours: Record<UploadState, string> = {
  waiting: "gray",
  sending: "petrol",
  checking: "petrol",
  uploaded: "green",
  refused: "red",
  interrupted: "orange",
  failed: "red"
}

const faultText = ({ fault }: Upload): string | undefined => {
  if (fault === null) return undefined
  const { code, detail, origin } = fault
  if (code === "document_failed") return texts.documentFailed(detail)
  if (detail !== "") return texts.code(code, detail)
  if (code === "timed_out") return texts.tooSlow
  return origin === undefined || origin === location.origin || !navigator.onLine
    ? texts.noConnection
    : texts.noStorage(origin)
}

const percentOf = ({ file, sentBytes, state }: Upload): number =>
  state === "uploaded" || state === "checking" ? 100 : file.size === 0 ? 0 : (sentBytes / file.size) * 100

const canRetry = ({ state }: Upload): boolean => state === "interrupted" || state === "failed"

const UploadRow = ({ upload }: { readonly upload: Upload }) => {
  const { file, id, sentBytes, state } = upload
  const fault = faultText(upload)
  const underWay = isUnderWay(upload)
  return (
    <li className={classes.upload} data-state={state}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Text size="sm" fw={500} className={classes.filename}>
          {file.name}
        </Text>
        <Group gap={4} wrap="nowrap">
          {state === "uploaded" && <IconCheck size={16} aria-hidden className={classes.done} />}
          <Text size="xs" className={classes.state}>
            {texts.states[state]}
          </Text>
          {canRetry(upload) && (
            <Button
              size="compact-xs"
              leftSection={<IconRefresh size={14} aria-hidden />}
              aria-label={texts.retry(file.name)}
              onClick={() => void uploadQueue.retry(id)}
            >
              {texts.retryShort}
            </Button>
          )}
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={underWay ? texts.stop(file.name) : texts.dismiss(file.name)}
            onClick={() => uploadQueue.dismiss(id)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <Progress.Root size="sm" mt={4}>
        <Progress.Section
          value={percentOf(upload)}
          color={colours[state]}
          aria-label={texts.progress(file.name)}
          aria-valuetext={texts.sent(sentBytes, file.size)}
        />
      </Progress.Root>
      <Text
        size="xs"
        c={fault === undefined ? "dimmed" : "var(--mantine-color-error)"}
        mt={2}
        role={fault === undefined ? undefined : "alert"}
      >
        {fault ?? (state === "sending" ? texts.sent(sentBytes, file.size) : formatBytes(file.size))}
      </Text>
    </li>
  )
}

export const UploadList = ({ siteId }: { readonly siteId: string }) => {
  const uploads = useUploads(siteId)
  const { online } = useNetwork()
  if (uploads.length === 0) return null
  const uploaded = uploads.filter(({ state }) => state === "uploaded").length
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Title order={3} size="sm">
            {texts.list}
          </Title>
          <Group gap="xs">
            <Text size="xs" c="dimmed" role="status">
              {texts.summary(uploaded, uploads.length)}
            </Text>
            {uploaded > 0 && (
              <Button size="compact-xs" variant="subtle" onClick={() => uploadQueue.dismissUploaded(siteId)}>
                {texts.dismissUploaded}
              </Button>
            )}
          </Group>
        </Group>
        {!online && (
          <Alert color="orange" role="status" p="xs">
            {texts.offline}
          </Alert>
        )}
        <ul className={classes.uploads}>
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </ul>
      </Stack>
    </Paper>
  )
}
