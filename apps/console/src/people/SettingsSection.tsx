/**
 * The settings of the organisation; owners and admins change them.
 */
import { Switch } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"
import { isManager } from "../api/people.ts"
import { queryClient } from "../api/queries.ts"
import { Failure } from "../shell/Failure.tsx"
import { Section } from "../shell/Section.tsx"
import { useSession } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { failureTexts } from "../texts/en/failures.ts"
import { peopleTexts as texts } from "../texts/en/people.ts"
import { organisationQuery } from "./peopleQueries.ts"

export const SettingsSection = () => {
  const { user } = useSession()
  const { data: settings, error, refetch } = useQuery(organisationQuery)
  const changing = useAction(async (isRequired: boolean) => {
    const payload = { requireSecondFactor: isRequired }
    queryClient.setQueryData(organisationQuery.queryKey, await ask("PUT /console/organisation", { payload }))
    notifications.show({ message: texts.requireFactorDone(isRequired) })
  })
  return (
    <Section title={texts.settings}>
      {changing.error !== null && <Failure title={failureTexts.notDone} error={changing.error} />}
      {settings === undefined ? (
        error === null ? (
          <Waiting />
        ) : (
          <Failure error={error} onRetry={refetch} />
        )
      ) : (
        <Switch
          label={texts.requireFactor}
          description={texts.requireFactorHint}
          checked={settings.requireSecondFactor}
          disabled={changing.busy || !isManager(user.role)}
          onChange={({ currentTarget }) => changing.run(currentTarget.checked)}
        />
      )}
    </Section>
  )
}
