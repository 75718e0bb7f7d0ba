/**
 * The own account: name, e-mail address, password, second factor, sessions.
 */
import { Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Failure } from "../shell/Failure.tsx"
import { Page } from "../shell/Page.tsx"
import { useSession } from "../shell/session.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { accountTexts as texts } from "../texts/account.ts"
import { roleTexts } from "../texts/people.ts"
import { secondFactorQuery } from "./accountQueries.ts"
import { FactorSection } from "./FactorSection.tsx"
import { ProfileSection } from "./ProfileSection.tsx"
import { SessionsSection } from "./SessionsSection.tsx"

export const AccountPage = () => {
  const { organisation, user } = useSession()
  const { data: factor, error, refetch } = useQuery(secondFactorQuery)
  const { description, name } = roleTexts[user.role]
  const content = () => {
    if (factor === undefined) return error === null ? <Waiting /> : <Failure error={error} onRetry={refetch} />
    return (
      <Stack gap="lg" maw={760}>
        <ProfileSection hasPassword={factor.hasPassword} />
        <FactorSection factor={factor} />
        <SessionsSection />
      </Stack>
    )
  }
  return (
    <Page title={texts.title} description={texts.role(organisation.name, name, description)}>
      {content()}
    </Page>
  )
}
