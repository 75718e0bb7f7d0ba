/**
 * One document beside the page: preview, metadata, revisions and history. It works on every page.
 */
import { Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "react-router"
import { ActivityList } from "../activity/ActivityList.tsx"
import { isProblem } from "../api/failures.ts"
import { useHealthOfDocuments } from "../health/healthQueries.ts"
import { Failure } from "../shell/Failure.tsx"
import { IconDownload, IconPencil, IconUpload } from "../shell/icons.ts"
import { Section } from "../shell/Section.tsx"
import { useCan } from "../shell/session.ts"
import { siteQuery } from "../sites/siteQueries.ts"
import { documentTexts as texts } from "../texts/documents.ts"
import { shellTexts } from "../texts/shell.ts"
import { approvals, useApprovals } from "./approvals.tsx"
import { isApprovedHere } from "./DelayedApprovals.ts"
import { DocumentDetails } from "./DocumentDetails.tsx"
import { DocumentPreview } from "./DocumentPreview.tsx"
import { DocumentState } from "./DocumentState.tsx"
import classes from "./Documents.module.css"
import { revisePath } from "./documentPaths.ts"
import { documentQuery } from "./documentQueries.ts"
import { Revisions } from "./Revisions.tsx"
import { useDocumentActions } from "./useDocumentActions.tsx"

interface Props {
  readonly documentId: string
  readonly onClose: () => void
  /** Shows another document, such as an older revision. */
  readonly onOpen: (documentId: string) => void
  /** Approves in place of the buttons, such as a list that allows an undo. */
  readonly onApprove?: ((document: Document) => void) | undefined
}

type Shown = Omit<Props, "documentId"> & { readonly document: Document }

const Buttons = ({ document, onApprove, onClose }: Omit<Shown, "onOpen">) => {
  const { busy, can, dialogs, ...actions } = useDocumentActions(document, onClose)
  const isApproved = isApprovedHere(useApprovals(), document)
  return (
    <Group gap="xs">
      {isApproved && (
        <Button size="xs" variant="default" onClick={() => approvals.undo(document.id)}>
          {texts.undoApproval}
        </Button>
      )}
      {can.approve && !isApproved && (
        <Button size="xs" loading={busy} onClick={onApprove ? () => onApprove(document) : actions.approve}>
          {texts.approve}
        </Button>
      )}
      {can.complete && (
        <Button size="xs" loading={busy} onClick={actions.complete}>
          {texts.complete}
        </Button>
      )}
      {can.reject && !isApproved && (
        <Button size="xs" variant="default" onClick={actions.reject}>
          {texts.reject}
        </Button>
      )}
      {can.download && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={actions.download}
        >
          {texts.download}
        </Button>
      )}
      {can.edit && (
        <Button size="xs" variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={actions.edit}>
          {texts.edit}
        </Button>
      )}
      {can.revise && (
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={revisePath(document)}
          leftSection={<IconUpload size={14} aria-hidden />}
        >
          {texts.revise}
        </Button>
      )}
      {can.delete && (
        <Button size="xs" variant="subtle" color="red" onClick={actions.remove}>
          {texts.delete}
        </Button>
      )}
      {dialogs}
    </Group>
  )
}

const Loaded = ({ document, onApprove, onClose, onOpen }: Shown) => {
  const canReadEvents = useCan("events:read")
  const healthOf = useHealthOfDocuments()
  const { data: site } = useQuery(siteQuery(document.siteId))
  const portfolioId = site?.portfolioId ?? null
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <div>
          <DocumentState document={document} health={healthOf(document, portfolioId)} />
        </div>
        <Buttons document={document} onApprove={onApprove} onClose={onClose} />
      </Group>
      <div className={classes.drawer}>
        <DocumentPreview document={document} />
        <Stack gap="md">
          <Section title={texts.details}>
            <DocumentDetails document={document} />
          </Section>
          <Section title={texts.revisions}>
            <Revisions document={document} portfolioId={portfolioId} onOpen={onOpen} />
          </Section>
          {canReadEvents && (
            <Section title={texts.history}>
              <ActivityList filter={{ subjectId: document.id }} />
            </Section>
          )}
        </Stack>
      </div>
    </Stack>
  )
}

export const DocumentDrawer = ({ documentId, ...props }: Props) => {
  const { onClose } = props
  const { data: document, error, refetch } = useQuery(documentQuery(documentId))
  const isMissing = isProblem(error, "document_not_found")
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(1180px, 100%)"
      title={document?.filename ?? texts.document}
      closeButtonProps={{ "aria-label": shellTexts.close }}
    >
      {document !== undefined && !isMissing && <Loaded document={document} {...props} />}
      {isMissing && <Text size="sm">{texts.notFound}</Text>}
      {document === undefined && error === null && <Skeleton height={320} />}
      {error !== null && !isMissing && <Failure error={error} onRetry={() => void refetch()} />}
    </Drawer>
  )
}
