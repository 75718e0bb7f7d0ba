/**
 * A notice that links to a record. Notices are outside of the router.
 */
import { Anchor, Group, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { MouseEvent } from "react"
import type { NavigateFunction } from "react-router"

interface Notice {
  readonly message: string
  readonly to: string
  /** Such as `Open`. */
  readonly label: string
}

export const showWithLink = (navigate: NavigateFunction, { label, message, to }: Notice): void => {
  const open = (event: MouseEvent) => {
    // Another tab, or a download of the link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    notifications.hide(id)
    void navigate(to)
  }
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {message}
        </Text>
        <Anchor href={to} size="sm" fw={600} onClick={open}>
          {label}
        </Anchor>
      </Group>
    ),
    // Longer than a notice to read.
    autoClose: 10_000
  })
}
