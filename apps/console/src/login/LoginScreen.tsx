/**
 * The ways of logging in as a whole screen: password, OpenID Connect, or both.
 */
import { Alert, Anchor, Button, Divider, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "react-router"
import { configurationQuery } from "../api/queries.ts"
import { Screen } from "../shell/Screen.tsx"
import { loginTexts } from "../texts/login.ts"
import { LoginForm } from "./LoginForm.tsx"

interface Props {
  /** Page to open after a login by OpenID Connect: path, query and hash. */
  readonly returnTo: string
  /** E-mail address of the user of a session that ended while a page was open. */
  readonly endedFor?: string
  /** Code of a login by OpenID Connect that failed. */
  readonly problem?: string | null
}

export const LoginScreen = ({ endedFor, problem = null, returnTo }: Props) => {
  const { data } = useQuery(configurationQuery)
  const { oidc, password } = data?.login ?? { oidc: null, password: true }
  return (
    <Screen title={loginTexts.title}>
      {endedFor !== undefined && <Text size="sm">{loginTexts.ended}</Text>}
      {problem !== null && (
        <Alert role="alert" color="red" title={loginTexts.failed}>
          {loginTexts.problemOf(problem)}
        </Alert>
      )}
      {oidc !== null && (
        <Button component="a" href={`/console/oidc/start?returnTo=${encodeURIComponent(returnTo)}`} variant="default">
          {loginTexts.provider(oidc.name)}
        </Button>
      )}
      {oidc !== null && password && <Divider label={loginTexts.or} />}
      {password && (
        <>
          <LoginForm email={endedFor} />
          {/* The page below keeps its forms in this tab. */}
          <Anchor
            component={Link}
            to="/forgotten-password"
            target={endedFor === undefined ? undefined : "_blank"}
            size="sm"
          >
            {loginTexts.forgotten}
          </Anchor>
        </>
      )}
    </Screen>
  )
}
