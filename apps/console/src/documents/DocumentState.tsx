/**
 * State of a document, and the reason of a failed one.
 */
import { Text } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { documentTexts as texts } from "../texts/documents.ts"
import classes from "./Documents.module.css"

export const DocumentState = ({ document }: { readonly document: Document }) => (
  <>
    <span className={classes.badge} data-state={document.status}>
      {texts.states[document.status]}
    </span>
    {document.replacedBy !== null && (
      <Text size="xs" c="dimmed">
        {texts.replaced}
      </Text>
    )}
    {document.failureReason !== null && (
      <Text size="xs" c="dimmed" maw={260} className={classes.filename}>
        {document.failureReason}
      </Text>
    )}
  </>
)
