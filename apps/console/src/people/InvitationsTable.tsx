/**
 * The open invitations. Only owners and admins have the buttons.
 */
import { Button, Group, Table, Text } from "@mantine/core"
import type { Invitation } from "../api/people.ts"
import { isManager, mayManage } from "../api/people.ts"
import { LimitLine } from "../portfolios/LimitLine.tsx"
import { useSession } from "../shell/session.ts"
import { invitationTexts as texts } from "../texts/en/people.ts"
import { roleTexts } from "../texts/en/roles.ts"
import { formatInstant } from "../texts/formats.ts"

interface Props {
  readonly invitations: ReadonlyArray<Invitation>
  readonly busy: boolean
  readonly onResend: (invitation: Invitation) => void
  readonly onWithdraw: (invitation: Invitation) => void
}

export const InvitationsTable = ({ busy, invitations, onResend, onWithdraw }: Props) => {
  const { user } = useSession()
  return (
    <Table aria-label={texts.table} verticalSpacing={5}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.email}</Table.Th>
          <Table.Th>{texts.columns.role}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.expiresAt}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invitations.map((invitation) => {
          const { email, expiresAt, id, mailedAt, portfolioIds, role } = invitation
          return (
            <Table.Tr key={id}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                <Text size="sm">{email}</Text>
                <Text size="xs" c="dimmed">
                  {mailedAt === null ? texts.notMailed : texts.mailed}
                </Text>
              </Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {roleTexts[role].name}
                <LimitLine limit={portfolioIds} />
              </Table.Td>
              <Table.Td visibleFrom="sm">{formatInstant(expiresAt)}</Table.Td>
              <Table.Td>
                {isManager(user.role) && (
                  <Group gap="xs" justify="flex-end">
                    {mayManage(user.role, role) && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        disabled={busy}
                        aria-label={texts.resendNamed(email)}
                        onClick={() => onResend(invitation)}
                      >
                        {texts.resend}
                      </Button>
                    )}
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={texts.withdrawNamed(email)}
                      onClick={() => onWithdraw(invitation)}
                    >
                      {texts.withdraw}
                    </Button>
                  </Group>
                )}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
