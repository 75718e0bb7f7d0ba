/**
 * Actions as buttons, such as in the header of a page.
 */
import { Button, Text } from "@mantine/core"
import type { Action } from "./Action.ts"
import { useActions } from "./useActions.tsx"

interface Props {
  readonly actions: ReadonlyArray<Action>
  /** True while an action runs. */
  readonly busy?: boolean
  readonly size?: "xs"
}

export const ActionButtons = ({ actions, busy = false, size }: Props) => {
  const { offered, opened } = useActions(actions)
  return (
    <>
      {offered.map(({ Icon, isDangerous = false, isMain = false, label, press, run }) => (
        <Button
          key={label}
          {...press}
          variant={isMain ? "filled" : isDangerous && size === "xs" ? "subtle" : "default"}
          disabled={busy && run !== undefined}
          {...(size === "xs" ? { size, ...(isDangerous ? { color: "red" } : {}) } : {})}
          {...(Icon === undefined ? {} : { leftSection: <Icon size={size === "xs" ? 14 : 16} aria-hidden /> })}
        >
          {label}
        </Button>
      ))}
      {offered.map(
        ({ hint, label }) =>
          hint !== undefined && (
            <Text key={label} size="xs" c="dimmed" w="100%">
              {hint}
            </Text>
          )
      )}
      {opened}
    </>
  )
}
