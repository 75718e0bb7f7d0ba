/**
 * Links to the pages.
 */
import { NavLink, Stack } from "@mantine/core"
import { Link, useLocation } from "react-router"
import { shellTexts } from "../texts/en/shell.ts"
import { IconBuilding, IconChecklist, IconFile, IconLayoutDashboard, IconSolarPanel, IconStack2 } from "./icons.ts"
import classes from "./Shell.module.css"

export const mainPages: ReadonlyArray<{
  readonly to: string
  readonly label: string
  readonly Icon: typeof IconBuilding
  /** Key that opens the page after G. */
  readonly key?: string
}> = [
  { to: "/", label: shellTexts.overview, Icon: IconLayoutDashboard, key: "o" },
  { to: "/sites", label: shellTexts.sites, Icon: IconSolarPanel, key: "s" },
  { to: "/portfolios", label: shellTexts.portfolios, Icon: IconStack2, key: "p" },
  { to: "/documents", label: shellTexts.documents, Icon: IconFile, key: "d" },
  { to: "/coverage", label: shellTexts.coverage, Icon: IconChecklist, key: "c" },
  { to: "/company", label: shellTexts.company, Icon: IconBuilding }
]

export const Navigation = ({ onNavigate }: { readonly onNavigate: () => void }) => {
  const { pathname } = useLocation()
  return (
    <Stack gap={4}>
      {mainPages.map(({ Icon, label, to }) => {
        const isHere = pathname === to || pathname.startsWith(`${to}/`)
        return (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            leftSection={<Icon size={18} stroke={1.5} aria-hidden />}
            active={isHere}
            className={classes.entry}
            aria-current={isHere ? "page" : undefined}
            onClick={onNavigate}
          />
        )
      })}
    </Stack>
  )
}
