/**
 * Links to the pages.
 */
import { NavLink, Stack } from "@mantine/core"
import { Link, useLocation } from "react-router"
import { isManager } from "../api/people.ts"
import { shellTexts } from "../texts/shell.ts"
import { IconKey, IconSolarPanel, IconStack2, IconUsers } from "./icons.ts"
import classes from "./Shell.module.css"
import { useSession } from "./session.ts"

const entries: ReadonlyArray<{
  readonly to: string
  readonly label: string
  readonly Icon: typeof IconKey
  /** True for pages of owners and admins. */
  readonly forManagers?: boolean
}> = [
  { to: "/sites", label: shellTexts.sites, Icon: IconSolarPanel },
  { to: "/portfolios", label: shellTexts.portfolios, Icon: IconStack2 },
  { to: "/profile/people", label: shellTexts.people, Icon: IconUsers },
  { to: "/profile/api-keys", label: shellTexts.apiKeys, Icon: IconKey, forManagers: true }
]

export const Navigation = ({ onNavigate }: { readonly onNavigate: () => void }) => {
  const { pathname } = useLocation()
  const { user } = useSession()
  const shown = entries.filter(({ forManagers = false }) => !forManagers || isManager(user.role))
  return (
    <Stack gap={4}>
      {shown.map(({ Icon, label, to }) => {
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
