/**
 * The sessions of the user; all but the current one can be ended here.
 */
import { Badge, Button, Group, Table, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Answer, ask } from "../api/ask.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { Failure } from "../shell/Failure.tsx"
import { Section } from "../shell/Section.tsx"
import { useAction } from "../shell/useAction.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { sessionTexts as texts } from "../texts/en/account.ts"
import { formatInstant } from "../texts/formats.ts"
import { ownSessionsQuery, refreshAccount } from "./accountQueries.ts"
import { deviceOf } from "./deviceOf.ts"

type OwnSession = Answer<"GET /console/sessions">["data"][number]

const SessionRow = ({ session }: { readonly session: OwnSession }) => {
  const { createdAt, current, id, lastUsedAt, method, userAgent } = session
  const device = userAgent === null ? texts.unknownDevice : deviceOf(userAgent)
  const ending = useAction(async () => {
    try {
      await ask("DELETE /console/sessions/:id", { params: { id } })
      notifications.show({ message: texts.ended })
    } finally {
      await refreshAccount()
    }
  })
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text size="sm" fw={500} title={userAgent ?? ""}>
            {device}
          </Text>
          {current && (
            <Badge variant="light" size="sm">
              {texts.current}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {texts.methods[method]}
        </Text>
        {ending.error !== null && <Failure title={texts.failed} error={ending.error} />}
      </Table.Td>
      <Table.Td visibleFrom="sm">{formatInstant(createdAt)}</Table.Td>
      <Table.Td>{formatInstant(lastUsedAt)}</Table.Td>
      <Table.Td ta="end">
        {!current && (
          <Button
            size="compact-sm"
            variant="default"
            loading={ending.busy}
            aria-label={texts.endNamed(device)}
            onClick={() => ending.run()}
          >
            {texts.end}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

const endOthers = async () => {
  await ask("DELETE /console/sessions")
  await refreshAccount()
  notifications.show({ message: texts.endOthersDialog.done })
}

export const SessionsSection = () => {
  const { data: sessions, error, refetch } = useQuery(ownSessionsQuery)
  const [confirming, setConfirming] = useState(false)
  const actions = sessions !== undefined && sessions.length > 1 && (
    <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
      {texts.endOthers}
    </Button>
  )
  const list = sessions !== undefined && (
    <Table aria-label={texts.list}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.device}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.createdAt}</Table.Th>
          <Table.Th>{texts.columns.lastUsedAt}</Table.Th>
          <Table.Td w={48} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Table.Tbody>
    </Table>
  )
  return (
    <Section title={texts.title} actions={actions}>
      {list || (error === null ? <Waiting /> : <Failure error={error} onRetry={refetch} />)}
      {confirming && (
        <ConfirmDialog
          title={texts.endOthersDialog.title}
          action={texts.endOthersDialog.submit}
          onClose={() => setConfirming(false)}
          onConfirm={endOthers}
        >
          <Text size="sm">{texts.endOthersDialog.explanation}</Text>
        </ConfirmDialog>
      )}
    </Section>
  )
}
