/**
 * The menu of a row.
 */
import { IconDots } from "../shell/icons.ts"
import { LazyMenu } from "../shell/LazyMenu.tsx"
import type { LazyMenuProps } from "../shell/OpenedMenu.tsx"
import classes from "./RowMenu.module.css"

interface Props extends Pick<LazyMenuProps, "items"> {
  /** Label of its button. */
  readonly label: string
}

export const RowMenu = ({ items, label }: Props) => (
  <LazyMenu
    items={items}
    target={
      <button type="button" className={classes.button} aria-label={label}>
        <IconDots size={16} aria-hidden />
      </button>
    }
  />
)
