/**
 * The menu of `LazyMenu`, open at first.
 */
import { Menu } from "@mantine/core"
import { cloneElement, type ReactElement, type ReactNode, type Ref, useRef } from "react"

/** A button, as the target of a menu or popover. */
export type Target = ReactElement<{
  readonly ref?: Ref<HTMLButtonElement>
  readonly onClick?: () => void
  readonly "aria-haspopup"?: "menu"
}>

export interface LazyMenuProps {
  readonly target: Target
  /** Makes the items from the components of a menu. */
  readonly items: (parts: typeof Menu) => ReactNode
  /** In pixels. */
  readonly width?: number
}

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
