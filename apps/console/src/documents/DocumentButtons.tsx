/**
 * The actions of a document as buttons.
 */
import { Button, Group } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { Link } from "react-router"
import { IconDownload, IconPencil, IconUpload } from "../shell/icons.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { approvals, useApprovals } from "./approvals.tsx"
import { isApprovedHere } from "./DelayedApprovals.ts"
import { revisePath } from "./documentPaths.ts"
import { useDocumentActions } from "./useDocumentActions.tsx"

/** Decisions of a list, which go on to its next document. */
export interface ListDecisions {
  /** Approves in place of the buttons, with an undo. */
  readonly onApprove: (document: Document) => void
  readonly onRejected: (document: Document) => void
}

interface Props {
  readonly document: Document
  readonly decisions?: ListDecisions | undefined
  readonly onClose: () => void
}

export const DocumentButtons = ({ decisions, document, onClose }: Props) => {
  const { busy, can, dialogs, ...actions } = useDocumentActions(document, {
    onDeleted: onClose,
    onRejected: decisions?.onRejected
  })
  const isApproved = isApprovedHere(useApprovals(), document)
  return (
    <Group gap="xs">
      {isApproved && (
        <Button size="xs" variant="default" onClick={() => approvals.undo(document.id)}>
          {texts.undoApproval}
        </Button>
      )}
      {can.approve && !isApproved && (
        <Button size="xs" loading={busy} onClick={decisions ? () => decisions.onApprove(document) : actions.approve}>
          {texts.approve}
        </Button>
      )}
      {can.complete && (
        <Button size="xs" variant="default" loading={busy} title={texts.completeHint} onClick={actions.complete}>
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
