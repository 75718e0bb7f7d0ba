/**
 * The logged-in user, the own account, and logging out.
 */
import { Button, Text } from "@mantine/core"
import { Link } from "react-router"
import { roleTexts } from "../texts/en/roles.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { IconChevronDown, IconLogout, IconUser, IconUserCircle } from "./icons.ts"
import { LazyMenu } from "./LazyMenu.tsx"
import classes from "./Shell.module.css"
import { useSession } from "./session.ts"
import { useLogout } from "./useLogout.ts"

export const AccountMenu = () => {
  const { organisation, user } = useSession()
  const leaving = useLogout()
  return (
    <LazyMenu
      width={260}
      target={
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          loading={leaving.busy}
          aria-label={shellTexts.account(organisation.name)}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <IconUser size={18} stroke={1.5} aria-hidden />
          <Text span truncate ml={6} size="sm" className={`${classes.account} ${classes.accountName}`}>
            {organisation.name}
          </Text>
        </Button>
      }
      items={({ Divider, Item, Label }) => (
        <>
          <Label>{shellTexts.loggedInAs}</Label>
          <Text px="sm" size="sm" fw={600}>
            {user.name}
          </Text>
          <Text px="sm" size="sm" c="dimmed">
            {user.email}
          </Text>
          <Text px="sm" pb="xs" size="sm" c="dimmed">
            {organisation.name} · {roleTexts[user.role].name}
          </Text>
          <Divider />
          <Item component={Link} to="/account" leftSection={<IconUserCircle size={16} stroke={1.5} aria-hidden />}>
            {shellTexts.myAccount}
          </Item>
          <Item leftSection={<IconLogout size={16} stroke={1.5} aria-hidden />} onClick={() => leaving.run()}>
            {shellTexts.logOut}
          </Item>
        </>
      )}
    />
  )
}
