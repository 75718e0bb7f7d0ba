/**
 * Steps from a document beside a list to its neighbours.
 */
import { ActionIcon, Group, Text } from "@mantine/core"
import { IconChevronDown, IconChevronUp } from "../shell/icons.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"

export interface ListPlace {
  /** From 1. */
  readonly position: number
  /** Documents of the page of the list. */
  readonly count: number
  /** By 1 or -1. */
  readonly move: (step: number) => void
}

export const PlaceInList = ({ count, move, position }: ListPlace) => (
  <Group gap="xs" mb="sm">
    <ActionIcon.Group>
      <ActionIcon variant="default" aria-label={texts.previous} disabled={position <= 1} onClick={() => move(-1)}>
        <IconChevronUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={texts.next} disabled={position >= count} onClick={() => move(1)}>
        <IconChevronDown size={16} aria-hidden />
      </ActionIcon>
    </ActionIcon.Group>
    <Text size="sm" c="dimmed">
      {texts.position(position, count)}
    </Text>
  </Group>
)
