/**
 * The open invitations. Only owners and admins have the buttons.
 */
import { Button, Group, Text } from "@mantine/core"
import type { Invitation } from "../api/people.ts"
import { isManager, mayManage } from "../api/people.ts"
import { type Column, DataTable } from "../lists/DataTable.tsx"
import { useSession } from "../shell/session.ts"
import { invitationTexts as texts } from "../texts/en/people.ts"
import { formatInstant } from "../texts/formats.ts"
import { roleColumn } from "./roleColumn.tsx"

interface Props {
  readonly invitations: ReadonlyArray<Invitation>
  readonly busy: boolean
  readonly onResend: (invitation: Invitation) => void
  readonly onWithdraw: (invitation: Invitation) => void
}

const columns: ReadonlyArray<Column<Invitation>> = [
  {
    key: "email",
    label: texts.columns.email,
    cell: ({ email, mailedAt }) => (
      <>
        <Text size="sm">{email}</Text>
        <Text size="xs" c="dimmed">
          {mailedAt === null ? texts.notMailed : texts.mailed}
        </Text>
      </>
    )
  },
  roleColumn,
  { key: "expires", label: texts.columns.expiresAt, wide: true, cell: ({ expiresAt }) => formatInstant(expiresAt) }
]

export const InvitationsTable = ({ busy, invitations, onResend, onWithdraw }: Props) => {
  const { user } = useSession()
  const actionsOf = (invitation: Invitation) => (
    <Group gap="xs" justify="flex-end">
      {mayManage(user.role, invitation.role) && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy}
          aria-label={texts.resendNamed(invitation.email)}
          onClick={() => onResend(invitation)}
        >
          {texts.resend}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={texts.withdrawNamed(invitation.email)}
        onClick={() => onWithdraw(invitation)}
      >
        {texts.withdraw}
      </Button>
    </Group>
  )
  return (
    <DataTable
      label={texts.table}
      items={invitations}
      columns={columns}
      actionsOf={isManager(user.role) ? actionsOf : undefined}
    />
  )
}
