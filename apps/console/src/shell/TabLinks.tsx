/**
 * The tabs of a page. Each is a link to a path of its own.
 */
import { Link, useLocation } from "react-router"
import classes from "./TabLinks.module.css"

/** State of a location that a tab has led to: the focus stays on the tab. */
export interface TabState {
  readonly fromTab: true
}

const state: TabState = { fromTab: true }

interface Props {
  /** For assistive technology. */
  readonly label: string
  readonly tabs: ReadonlyArray<{ readonly to: string; readonly label: string }>
}

// On narrow screens the tabs scroll.
const bringIntoView = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView({ block: "nearest", inline: "nearest" })

export const TabLinks = ({ label, tabs }: Props) => {
  const { pathname } = useLocation()
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ label, to }) => (
        <Link
          key={to}
          to={to}
          state={state}
          className={classes.tab}
          {...(pathname === to ? { "aria-current": "page", ref: bringIntoView } : {})}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
