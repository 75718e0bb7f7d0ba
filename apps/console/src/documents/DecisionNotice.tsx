/**
 * The last decision on a document, and a button that takes it back.
 */
import { Button, Group, Text } from "@mantine/core"
import { documentListTexts as texts } from "../texts/en/documentList.ts"
import type { Decision } from "./DelayedDecisions.ts"

interface Props {
  readonly last: Decision
  /** Decisions before the last one that can be undone after it. */
  readonly others: number
  readonly onUndo: () => void
}

export const DecisionNotice = ({ last, onUndo, others }: Props) => {
  const { filename } = last.document
  const { status } = last.outcome
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {texts.decided[status](filename, others)}
      </Text>
      <Button
        size="compact-sm"
        variant="light"
        aria-label={texts.undoOf[status](filename)}
        onClick={onUndo}
        flex="none"
      >
        {texts.undo}
      </Button>
    </Group>
  )
}
