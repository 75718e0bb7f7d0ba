/**
 * Approved documents, and a button that takes the last approval back.
 */
import { Button, Group, Text } from "@mantine/core"
import { documentListTexts as texts } from "../texts/en/documentList.ts"

interface Props {
  /** Names of the documents in the order of their approval. */
  readonly names: ReadonlyArray<string>
  readonly onUndo: () => void
}

export const ApprovalNotice = ({ names, onUndo }: Props) => {
  const last = names.at(-1) ?? ""
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {texts.approvedHere(last, names.length)}
      </Text>
      <Button size="compact-sm" variant="light" aria-label={texts.undoOf(last)} onClick={onUndo} flex="none">
        {texts.undo}
      </Button>
    </Group>
  )
}
