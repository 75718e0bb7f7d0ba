/**
 * How often the user gets the digest by mail. Absent where the server sends no mail.
 */
import { Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { type Answer, ask } from "../api/ask.ts"
import { configurationQuery, queryClient } from "../api/queries.ts"
import { Failure } from "../shell/Failure.tsx"
import { Section } from "../shell/Section.tsx"
import { Select } from "../shell/Select.tsx"
import { useAction } from "../shell/useAction.ts"
import { digestTexts as texts } from "../texts/en/account.ts"
import { accountQuery } from "./accountQueries.ts"

type DigestChoice = Answer<"GET /console/account">["digest"]

const choices: ReadonlyArray<DigestChoice> = ["weekly", "daily", "none"]

const isChoice = (value: string | null): value is DigestChoice => choices.some((choice) => choice === value)

export const DigestSection = () => {
  const { data: configuration } = useQuery(configurationQuery)
  const { data: account, error, refetch } = useQuery(accountQuery)
  const saving = useAction(async (choice: DigestChoice) => {
    const account = await ask("PUT /console/account", { payload: { digest: choice } })
    queryClient.setQueryData(accountQuery.queryKey, account)
    notifications.show({ message: texts.saved })
  })
  if (configuration === undefined || configuration.digest === null) return null
  const { hour, timeZone } = configuration.digest
  return (
    <Section title={texts.title}>
      <Text size="sm">{texts.explanation}</Text>
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {saving.error !== null && <Failure title={texts.notSaved} error={saving.error} />}
      <Select
        label={texts.choice}
        description={texts.time(`${String(hour).padStart(2, "0")}:00`, timeZone)}
        inputWrapperOrder={["label", "input", "description"]}
        data={choices.map((value) => ({ value, label: texts.choices[value] }))}
        allowDeselect={false}
        value={account?.digest ?? null}
        disabled={account === undefined || saving.busy}
        onChange={(value) => isChoice(value) && saving.run(value)}
        maw={320}
      />
    </Section>
  )
}
