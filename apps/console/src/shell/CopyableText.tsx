/**
 * A text such as an id or an address, with a button that copies it.
 */
import { ActionIcon, Code, CopyButton, Group } from "@mantine/core"
import { shellTexts } from "../texts/en/shell.ts"
import { IconCheck, IconCopy } from "./icons.ts"

interface Props {
  /** Name of the text, for the button. */
  readonly name: string
  readonly text: string
}

export const CopyableText = ({ name, text }: Props) => (
  <Group gap={4} wrap="nowrap">
    <Code translate="no" style={{ overflowWrap: "anywhere" }}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={copied ? shellTexts.copied(name) : shellTexts.copy(name)}
          onClick={copy}
        >
          {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  </Group>
)
