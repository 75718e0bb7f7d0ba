/**
 * The people of the organisation: every user sees them, owners and admins manage them.
 */
import { Paper, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { isManager } from "../api/people.ts"
import { configurationQuery } from "../api/queries.ts"
import { CompanyTab } from "../company/CompanyTab.tsx"
import { Failure } from "../shell/Failure.tsx"
import { useIsLimited, useSession } from "../shell/session.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { peopleTexts as texts } from "../texts/en/people.ts"
import { InvitationsSection } from "./InvitationsSection.tsx"
import { PeopleTable } from "./PeopleTable.tsx"
import { peopleQuery } from "./peopleQueries.ts"
import { SettingsSection } from "./SettingsSection.tsx"

export const PeopleTab = () => {
  const { organisation, user } = useSession()
  const isLimited = useIsLimited()
  const { data: people, error, refetch } = useQuery(peopleQuery)
  const { data: configuration } = useQuery(configurationQuery)
  const limits = isManager(user.role) ? user.role === "admin" && texts.notOwners : texts.notManager
  return (
    <CompanyTab description={texts.description(organisation.name)}>
      {limits && <Text size="sm">{limits}</Text>}
      {people === undefined ? (
        error === null ? (
          <Waiting />
        ) : (
          <Failure error={error} onRetry={refetch} />
        )
      ) : (
        <Paper withBorder>
          <PeopleTable people={people} />
        </Paper>
      )}
      {configuration?.login.password === false ? <Text size="sm">{texts.noInvitations}</Text> : <InvitationsSection />}
      {!isLimited && <SettingsSection />}
    </CompanyTab>
  )
}
