/**
 * Logs a person in and brings them to where they wanted to be.
 */
import { Center, Group, Paper, Stack, Text, Title } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Navigate, useLocation } from "react-router"
import { sessionQuery } from "../api/queries.ts"
import { ColourSchemeMenu } from "../shell/ColourSchemeMenu.tsx"
import icon from "../shell/icon.svg"
import { loginTexts } from "../texts/login.ts"
import { shellTexts } from "../texts/shell.ts"
import { LoginForm } from "./LoginForm.tsx"
import classes from "./LoginPage.module.css"

/** A place in the console, never another origin. */
const placeIn = (state: unknown): string => {
  const from = typeof state === "object" && state !== null && "from" in state ? state.from : undefined
  return typeof from === "string" && /^\/(?![/\\])/.test(from) ? from : "/sites"
}

export const LoginPage = () => {
  const { state } = useLocation()
  const { data: session } = useQuery(sessionQuery)
  // The page leaves as soon as there is a session, from this form or from another tab.
  if (session) return <Navigate to={placeIn(state)} replace />
  return (
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
            <LoginForm />
          </Stack>
        </Paper>
      </Stack>
    </Center>
  )
}
