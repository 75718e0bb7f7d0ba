/**
 * The menu of a document in a list.
 */
import type { Document } from "@solar-sites/http-node/client"
import { RowMenu } from "../lists/RowMenu.tsx"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { useDocumentActions } from "./useDocumentActions.tsx"

interface Props {
  readonly document: Document
  /** Called after an approval or a rejection, which can be undone. */
  readonly onDecided?: ((document: Document) => void) | undefined
}

export const DocumentActions = ({ document, onDecided }: Props) => {
  // An action runs until its lists are read again, which the state in the row does not wait for.
  const { actions, busy, isDecided } = useDocumentActions(document, { onDecided })
  return isDecided ? null : <RowMenu label={texts.actions(document.filename)} actions={actions} busy={busy} />
}
