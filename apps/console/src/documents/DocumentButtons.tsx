/**
 * The actions of a document as buttons.
 */
import { Button, Group } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { ActionButtons } from "../lists/ActionButtons.tsx"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { decisionOn } from "./DelayedDecisions.ts"
import { decisions, useDecisions } from "./decisions.tsx"
import { useDocumentActions } from "./useDocumentActions.tsx"

interface Props {
  readonly document: Document
  /** Called after an approval or a rejection, such as to go on to the next document of a list. */
  readonly onDecided?: ((document: Document) => void) | undefined
  readonly onClose: () => void
}

export const DocumentButtons = ({ document, onClose, onDecided }: Props) => {
  const { actions, busy } = useDocumentActions(document, { onDeleted: onClose, onDecided })
  const outcome = decisionOn(useDecisions(), document)
  return (
    <Group gap="xs">
      {outcome !== undefined && (
        <Button size="xs" variant="default" onClick={() => decisions.undo(document.id)}>
          {texts.undo[outcome.status]}
        </Button>
      )}
      <ActionButtons size="xs" actions={actions} busy={busy} />
    </Group>
  )
}
