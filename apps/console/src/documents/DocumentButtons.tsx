/**
 * The actions of a document as buttons.
 */
import { Button, Group, Text } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { Link } from "react-router"
import { IconDownload, IconPencil, IconUpload } from "../shell/icons.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { decisionOn } from "./DelayedDecisions.ts"
import { decisions, useDecisions } from "./decisions.tsx"
import { revisePath } from "./documentPaths.ts"
import { useDocumentActions } from "./useDocumentActions.tsx"

interface Props {
  readonly document: Document
  /** Called after an approval or a rejection, such as to go on to the next document of a list. */
  readonly onDecided?: ((document: Document) => void) | undefined
  readonly onClose: () => void
}

export const DocumentButtons = ({ document, onClose, onDecided }: Props) => {
  const { busy, can, dialogs, ...actions } = useDocumentActions(document, {
    onDeleted: onClose,
    onDecided
  })
  const outcome = decisionOn(useDecisions(), document)
  return (
    <Group gap="xs">
      {outcome !== undefined && (
        <Button size="xs" variant="default" onClick={() => decisions.undo(document.id)}>
          {texts.undo[outcome.status]}
        </Button>
      )}
      {can.approve && outcome === undefined && (
        <Button size="xs" loading={busy} onClick={actions.approve}>
          {texts.approve}
        </Button>
      )}
      {can.complete && (
        <Button size="xs" variant="default" loading={busy} onClick={actions.complete}>
          {texts.complete}
        </Button>
      )}
      {can.reject && outcome === undefined && (
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
      {can.complete && (
        <Text size="xs" c="dimmed" w="100%">
          {texts.completeHint}
        </Text>
      )}
      {dialogs}
    </Group>
  )
}
