/**
 * A button with a menu. The menu is built when it is first opened, with code that the first page
 * does not wait for.
 */
import { cloneElement, useState } from "react"
import { lazily } from "./lazily.tsx"
import type { LazyMenuProps } from "./OpenedMenu.tsx"

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
