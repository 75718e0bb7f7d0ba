/**
 * The menu of `LazyMenu`, open at first.
 */
import { Menu } from "@mantine/core"
import { cloneElement, useRef } from "react"
import type { LazyMenuProps } from "./LazyMenu.tsx"

export const OpenedMenu = ({ items, target, width }: LazyMenuProps) => {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Menu
      defaultOpened
      // The pressed button was replaced by the target, so there is no focus to return to.
      returnFocus={false}
      onClose={() => button.current?.focus({ preventScroll: true })}
      position="bottom-end"
      withinPortal
      {...(width === undefined ? {} : { width })}
    >
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>{items(Menu)}</Menu.Dropdown>
    </Menu>
  )
}
