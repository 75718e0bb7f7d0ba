/**
 * The form for logging in as a whole screen.
 */
import { Center, Group, Paper, Stack, Text, Title } from "@mantine/core"
import { ColourSchemeMenu } from "../shell/ColourSchemeMenu.tsx"
import icon from "../shell/icon.svg"
import { loginTexts } from "../texts/login.ts"
import { shellTexts } from "../texts/shell.ts"
import { LoginForm } from "./LoginForm.tsx"
import classes from "./LoginScreen.module.css"

interface Props {
  /** E-mail address of the user of a session that ended while a page was open. */
  readonly endedFor?: string
}

export const LoginScreen = ({ endedFor }: Props) => (
  <Center component="main" className={classes.page}>
    <title>{shellTexts.pageTitle(loginTexts.title)}</title>
    <Stack w="100%" maw={380}>
      <Group justify="space-between">
        <Group gap="xs">
          <img src={icon} alt="" width={32} height={32} />
          <Text fw={600} size="lg">
            {shellTexts.product}
          </Text>
        </Group>
        <ColourSchemeMenu />
      </Group>
      <Paper withBorder p="lg">
        <Stack>
          <Title order={1}>{loginTexts.title}</Title>
          {endedFor !== undefined && <Text size="sm">{loginTexts.ended}</Text>}
          <LoginForm email={endedFor} />
        </Stack>
      </Paper>
    </Stack>
  </Center>
)
