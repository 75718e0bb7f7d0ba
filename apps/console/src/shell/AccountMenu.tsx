/**
 * Who is logged in, and the way out.
 */
import { Button, Menu, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useNavigate } from "react-router"
import { logOut } from "../api/client.ts"
import { messageOf } from "../api/failures.ts"
import { changeSession } from "../api/queries.ts"
import { shellTexts } from "../texts/shell.ts"
import { IconChevronDown, IconLogout, IconUser } from "./icons.ts"
import { useSession } from "./RequireSession.tsx"
import classes from "./Shell.module.css"
import { useAction } from "./useAction.ts"

export const AccountMenu = () => {
  const { organisation, user } = useSession()
  const navigate = useNavigate()
  const leaving = useAction(async () => {
    try {
      await logOut()
    } catch (error) {
      notifications.show({ color: "red", title: shellTexts.logOutFailed, message: messageOf(error) })
      throw error
    }
    // Without a place to come back to: the next one to log in may be somebody else.
    await navigate("/login", { replace: true })
    changeSession(null)
  })
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          loading={leaving.busy}
          aria-label={shellTexts.account(user.name)}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <IconUser size={18} stroke={1.5} aria-hidden />
          <Text span truncate ml={6} size="sm" className={`${classes.account} ${classes.accountName}`}>
            {organisation.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{shellTexts.loggedInAs}</Menu.Label>
        <Text px="sm" size="sm" fw={600}>
          {user.name}
        </Text>
        <Text px="sm" size="sm" c="dimmed">
          {user.email}
        </Text>
        <Text px="sm" pb="xs" size="sm" c="dimmed">
          {organisation.name}
        </Text>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.5} aria-hidden />} onClick={() => leaving.run()}>
          {shellTexts.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
