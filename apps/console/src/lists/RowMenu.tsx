/**
 * The menu of a row.
 */
import { Text } from "@mantine/core"
import { IconDots } from "../shell/icons.ts"
import { LazyMenu } from "../shell/LazyMenu.tsx"
import type { Action } from "./Action.ts"
import classes from "./RowMenu.module.css"
import { useActions } from "./useActions.tsx"

interface Props {
  /** Label of its button. */
  readonly label: string
  readonly actions: ReadonlyArray<Action>
  /** True while an action runs. */
  readonly busy?: boolean
}

export const RowMenu = ({ actions, busy = false, label }: Props) => {
  const { offered, opened } = useActions(actions)
  return (
    <>
      {offered.length > 0 && (
        <LazyMenu
          items={({ Item }) =>
            offered.map(({ Icon, hint, isDangerous = false, label, press }) => (
              <Item
                key={label}
                {...press}
                maw={280}
                disabled={busy}
                {...(isDangerous ? { color: "var(--mantine-color-error)" } : {})}
                {...(Icon === undefined ? {} : { leftSection: <Icon size={16} stroke={1.5} aria-hidden /> })}
              >
                {label}
                {hint !== undefined && (
                  <Text size="xs" c="dimmed">
                    {hint}
                  </Text>
                )}
              </Item>
            ))
          }
          target={
            <button type="button" className={classes.button} aria-label={label} aria-busy={busy}>
              <IconDots size={16} aria-hidden />
            </button>
          }
        />
      )}
      {opened}
    </>
  )
}
