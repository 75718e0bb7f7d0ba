/**
 * State of a document. Its health precedes the state of review: what has expired is not fine because
 * it was approved once.
 */
import { Text } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { reasonText } from "../api/failures.ts"
import type { Health } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { documentTexts as texts } from "../texts/en/documents.ts"
import classes from "./Documents.module.css"

interface Props {
  readonly document: Document
  /** Null when validity needs no attention. */
  readonly health: Health | null
}

export const DocumentState = ({ document, health }: Props) => (
  <>
    {health === null ? (
      <span className={classes.badge} data-state={document.status}>
        {texts.states[document.status]}
      </span>
    ) : (
      <>
        <HealthSignal state={health} />
        <Text size="xs" c="dimmed">
          {texts.states[document.status]}
        </Text>
      </>
    )}
    {document.replacedBy !== null && (
      <Text size="xs" c="dimmed">
        {texts.replaced}
      </Text>
    )}
    {document.failureReason !== null && (
      <Text size="xs" c="dimmed" maw={260} className={classes.filename}>
        {reasonText(document.failureReason)}
      </Text>
    )}
  </>
)
