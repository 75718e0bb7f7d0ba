/**
 * The menu of a row. A table has many and shows one, so a menu is built when it is first opened.
 */
import { Menu } from "@mantine/core"
import { type ReactNode, useRef, useState } from "react"
import { IconDots } from "../shell/icons.ts"
import classes from "./LazyMenu.module.css"

interface Props {
  /** Label of its button. */
  readonly label: string
  /** Items of the menu. */
  readonly children: ReactNode
}

export const LazyMenu = ({ children, label }: Props) => {
  const [opened, setOpened] = useState<boolean>()
  const button = useRef<HTMLButtonElement>(null)
  const target = (
    <button
      ref={button}
      type="button"
      className={classes.button}
      aria-label={label}
      aria-haspopup="menu"
      {...(opened === undefined && { onClick: () => setOpened(true) })}
    >
      <IconDots size={16} aria-hidden />
    </button>
  )
  if (opened === undefined) return target
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      // The pressed button was replaced by the target, so there is no focus to return to.
      returnFocus={false}
      onClose={() => button.current?.focus({ preventScroll: true })}
      position="bottom-end"
      withinPortal
    >
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
