/**
 * The sessions of the user; all but the current one can be ended here.
 */
import { Badge, Button, Group, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Answer, ask } from "../api/ask.ts"
import { type Column, DataTable } from "../lists/DataTable.tsx"
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

const deviceName = ({ userAgent }: OwnSession): string =>
  userAgent === null ? texts.unknownDevice : deviceOf(userAgent)

const columns: ReadonlyArray<Column<OwnSession>> = [
  {
    key: "device",
    label: texts.columns.device,
    cell: (session) => (
      <>
        <Group gap="xs">
          <Text size="sm" fw={500} title={session.userAgent ?? ""}>
            {deviceName(session)}
          </Text>
          {session.current && (
            <Badge variant="light" size="sm">
              {texts.current}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {texts.methods[session.method]}
        </Text>
      </>
    )
  },
  { key: "created", label: texts.columns.createdAt, wide: true, cell: ({ createdAt }) => formatInstant(createdAt) },
  { key: "used", label: texts.columns.lastUsedAt, cell: ({ lastUsedAt }) => formatInstant(lastUsedAt) }
]

const EndSession = ({ session }: { readonly session: OwnSession }) => {
  const ending = useAction(async () => {
    try {
      await ask("DELETE /console/sessions/:id", { params: { id: session.id } })
      notifications.show({ message: texts.ended })
    } finally {
      await refreshAccount()
    }
  })
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={ending.busy}
        aria-label={texts.endNamed(deviceName(session))}
        onClick={() => ending.run()}
      >
        {texts.end}
      </Button>
      {ending.error !== null && <Failure title={texts.failed} error={ending.error} />}
    </>
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
    <DataTable
      label={texts.list}
      items={sessions}
      columns={columns}
      actionsOf={(session) => !session.current && <EndSession session={session} />}
    />
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
