/**
 * Links to the pages.
 */
import { NavLink, Stack } from "@mantine/core"
import { Link, useLocation } from "react-router"
import { shellTexts } from "../texts/shell.ts"
import { IconBuilding, IconChecklist, IconFile, IconLayoutDashboard, IconSolarPanel, IconStack2 } from "./icons.ts"
import classes from "./Shell.module.css"

const entries: ReadonlyArray<{
  readonly to: string
  readonly label: string
  readonly Icon: typeof IconBuilding
}> = [
  { to: "/", label: shellTexts.overview, Icon: IconLayoutDashboard },
  { to: "/sites", label: shellTexts.sites, Icon: IconSolarPanel },
  { to: "/portfolios", label: shellTexts.portfolios, Icon: IconStack2 },
  { to: "/documents", label: shellTexts.documents, Icon: IconFile },
  { to: "/coverage", label: shellTexts.coverage, Icon: IconChecklist },
  { to: "/company", label: shellTexts.company, Icon: IconBuilding }
]

export const Navigation = ({ onNavigate }: { readonly onNavigate: () => void }) => {
  const { pathname } = useLocation()
  return (
    <Stack gap={4}>
      {entries.map(({ Icon, label, to }) => {
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
