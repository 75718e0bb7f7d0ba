/**
 * The own account: name, e-mail address, password, second factor, sessions, digest, language, notation, keyboard
 * shortcuts, last logins.
 */
import { Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { ActivityList } from "../activity/ActivityList.tsx"
import type { EventFilter } from "../activity/eventQueries.ts"
import { LimitLine } from "../portfolios/LimitLine.tsx"
import { Failure } from "../shell/Failure.tsx"
import { Page } from "../shell/Page.tsx"
import { Section } from "../shell/Section.tsx"
import { limitOf, useCan, useSession } from "../shell/session.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { accountTexts as texts } from "../texts/en/account.ts"
import { roleTexts } from "../texts/en/roles.ts"
import { secondFactorQuery } from "./accountQueries.ts"
import { DigestSection } from "./DigestSection.tsx"
import { FactorSection } from "./FactorSection.tsx"
import { KeysSection } from "./KeysSection.tsx"
import { LanguageSection } from "./LanguageSection.tsx"
import { NotationSection } from "./NotationSection.tsx"
import { ProfileSection } from "./ProfileSection.tsx"
import { SessionsSection } from "./SessionsSection.tsx"

/** Logins, and changes of password, role and second factor. */
const securityEventsOf = (userId: string): EventFilter => ({
  subjectId: userId,
  type: ["user.logged_in", "user.login_failed", "user.updated"]
})

export const AccountPage = () => {
  const session = useSession()
  const { organisation, user } = session
  const canReadEvents = useCan("events:read")
  // The feed of a limited user has no events of people.
  const limit = limitOf(session)
  const { data: factor, error, refetch } = useQuery(secondFactorQuery)
  const { description, name } = roleTexts[user.role]
  const content = () => {
    if (factor === undefined) return error === null ? <Waiting /> : <Failure error={error} onRetry={refetch} />
    return (
      <Stack gap="lg" maw={760}>
        <ProfileSection hasPassword={factor.hasPassword} />
        <FactorSection factor={factor} />
        <SessionsSection />
        <DigestSection />
        <LanguageSection />
        <NotationSection />
        <KeysSection />
        {canReadEvents && limit === null && (
          <Section title={texts.logins}>
            <ActivityList filter={securityEventsOf(user.id)} newest={10} />
          </Section>
        )}
      </Stack>
    )
  }
  return (
    <Page
      title={texts.title}
      description={
        <>
          {texts.role(organisation.name, name, description)}
          <LimitLine limit={limit} />
        </>
      }
    >
      {content()}
    </Page>
  )
}
