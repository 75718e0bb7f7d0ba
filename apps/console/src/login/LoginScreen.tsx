/**
 * The ways of logging in as a whole screen: password, OpenID Connect, or both.
 */
import { Alert, Button, Divider, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { Configuration, SessionEnd } from "../api/Console.ts"
import { configurationQuery, type EndReason, sessionEndQuery } from "../api/queries.ts"
import { Screen } from "../shell/Screen.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { loginTexts } from "../texts/en/login.ts"
import { formatInstant } from "../texts/formats.ts"
import { LoginForm } from "./LoginForm.tsx"

interface Props {
  /** Page to open after a login by OpenID Connect: path, query and hash. */
  readonly returnTo: string
  /** The session that ended while a page was open. */
  readonly ended?: { readonly email: string; readonly reason: EndReason }
  /** Code of a login by OpenID Connect that failed. */
  readonly problem?: string | null
}

/** Why there is no session any more; empty when that is unknown. */
const reasonOf = (
  { sessionHours }: Configuration["accounts"],
  end: SessionEnd | undefined,
  ended: EndReason | undefined
): string => {
  if (end !== undefined && end.reason !== null) {
    return loginTexts.ends[end.reason](formatInstant(end.endedAt), sessionHours)
  }
  return ended === undefined ? "" : loginTexts.reasons[ended](sessionHours)
}

export const LoginScreen = ({ ended, problem = null, returnTo }: Props) => {
  const { data } = useQuery(configurationQuery)
  const { data: end } = useQuery(sessionEndQuery)
  const reason = data === undefined ? "" : reasonOf(data.accounts, end, ended?.reason)
  const { oidc, password } = data?.login ?? { oidc: null, password: true }
  return (
    <Screen title={loginTexts.title}>
      {ended !== undefined && <Text size="sm">{loginTexts.ended}</Text>}
      {reason !== "" && (
        <Text size="sm" c="dimmed" role="status">
          {reason}
        </Text>
      )}
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
          <LoginForm email={ended?.email} />
          {/* The page below keeps its forms in this tab. */}
          <SmallLink to="/forgotten-password" target={ended === undefined ? undefined : "_blank"}>
            {loginTexts.forgotten}
          </SmallLink>
        </>
      )}
    </Screen>
  )
}
