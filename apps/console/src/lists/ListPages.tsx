/**
 * Steps between the pages of a list.
 */
import { Button, Group, Text } from "@mantine/core"
import { listTexts as texts } from "../texts/en/lists.ts"
import { type ListQuery, pageSize } from "./useListQuery.ts"

interface Props {
  readonly list: Omit<ListQuery<unknown, unknown>, "change" | "filters">
}

export const ListPages = ({ list }: Props) => {
  const { cursor, isOutdated, items = [], nextCursor, pagesBefore, toFirst, toNext, toPrevious } = list
  const isFirst = cursor === ""
  if (isFirst && nextCursor === null) return null
  const before = (pagesBefore ?? 0) * pageSize
  return (
    <Group justify="space-between" component="nav" aria-label={texts.pages}>
      <Text size="sm" c="dimmed">
        {pagesBefore !== undefined && !isOutdated && texts.range(before + 1, before + items.length)}
      </Text>
      <Group gap="xs">
        {!isFirst && pagesBefore !== 1 && (
          <Button size="xs" variant="subtle" onClick={toFirst}>
            {texts.firstPage}
          </Button>
        )}
        <Button size="xs" variant="default" disabled={isFirst || pagesBefore === undefined} onClick={toPrevious}>
          {texts.previousPage}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={nextCursor === null || isOutdated}
          onClick={() => nextCursor !== null && toNext(nextCursor)}
        >
          {texts.nextPage}
        </Button>
      </Group>
    </Group>
  )
}
