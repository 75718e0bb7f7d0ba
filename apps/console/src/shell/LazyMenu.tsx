/**
 * A button with a menu. The menu is built when it is first opened, with code that the first page
 * does not wait for.
 */
import type { Menu } from "@mantine/core"
import { cloneElement, type ReactElement, type ReactNode, type Ref, useState } from "react"
import { lazily } from "./lazily.tsx"

/** A button, as the target of a menu or popover. */
export type Target = ReactElement<{
  readonly ref?: Ref<HTMLButtonElement>
  readonly onClick?: () => void
  readonly "aria-haspopup"?: "menu"
}>

export interface LazyMenuProps {
  readonly target: Target
  /** Of the components of a menu. */
  readonly items: (parts: typeof Menu) => ReactNode
  /** In pixels. */
  readonly width?: number
}

export const loadMenu = () => import("./OpenedMenu.tsx")
const OpenedMenu = lazily<LazyMenuProps>(
  async () => (await loadMenu()).OpenedMenu,
  ({ target }) => target
)

export const LazyMenu = (props: LazyMenuProps) => {
  const [isMade, setMade] = useState(false)
  if (isMade) return <OpenedMenu {...props} />
  return cloneElement(props.target, { "aria-haspopup": "menu", onClick: () => setMade(true) })
}
