/**
 * Open invitations: create, send again, withdraw. Without mail the link is shown here, once; it is
 * in the state of this component only.
 */
import { Button, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import { type Invitation, type IssuedInvitation, isManager } from "../api/people.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { Failure } from "../shell/Failure.tsx"
import { IconUserPlus } from "../shell/icons.ts"
import { RevealDialog } from "../shell/RevealDialog.tsx"
import { Section } from "../shell/Section.tsx"
import { useSession } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { useOpenedBy } from "../shell/useOpenedBy.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { invitationTexts as texts } from "../texts/en/people.ts"
import { InvitationsTable } from "./InvitationsTable.tsx"
import { InviteDialog } from "./InviteDialog.tsx"
import { invitationsQuery, refreshPeople } from "./peopleQueries.ts"

type Open =
  | { readonly dialog: "link"; readonly email: string; readonly link: string }
  | { readonly dialog: "withdraw"; readonly invitation: Invitation }

const withdraw = async ({ email, id }: Invitation) => {
  await ask("DELETE /console/invitations/:id", { params: { id } })
  await refreshPeople()
  notifications.show({ message: texts.withdrawDialog.done(email) })
}

export const InvitationsSection = () => {
  const { user } = useSession()
  const { data: invitations, error, refetch } = useQuery(invitationsQuery)
  const [open, setOpen] = useState<Open>()
  const canInvite = isManager(user.role)
  const creating = useOpenedBy("invite", canInvite)
  const close = () => setOpen(undefined)
  const show = ({ email, link }: IssuedInvitation, sent: string) => {
    void refreshPeople()
    creating.close()
    setOpen(link === null ? undefined : { dialog: "link", email, link })
    if (link === null) notifications.show({ message: sent })
  }
  const resending = useAction(async ({ email, id }: Invitation) =>
    show(await ask("POST /console/invitations/:id/resend", { params: { id } }), texts.resent(email))
  )
  const invite = canInvite && (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={creating.open}>
      {texts.invite}
    </Button>
  )
  const list =
    invitations?.length === 0 ? (
      <Text size="sm" c="dimmed">
        {texts.none}
      </Text>
    ) : (
      invitations && (
        <InvitationsTable
          invitations={invitations}
          busy={resending.busy}
          onResend={resending.run}
          onWithdraw={(invitation) => setOpen({ dialog: "withdraw", invitation })}
        />
      )
    )
  return (
    <Section title={texts.title} actions={invite}>
      {resending.error !== null && <Failure title={texts.failed} error={resending.error} />}
      {list ?? (error === null ? <Waiting /> : <Failure error={error} onRetry={refetch} />)}
      {creating.opened && (
        <InviteDialog
          onClose={creating.close}
          onInvited={(issued) => show(issued, texts.createDialog.sent(issued.email))}
        />
      )}
      {open?.dialog === "link" && (
        <RevealDialog
          {...texts.linkDialog}
          title={texts.linkDialog.title(open.email)}
          secret={open.link}
          onClose={close}
        />
      )}
      {open?.dialog === "withdraw" && (
        <ConfirmDialog
          title={texts.withdrawDialog.title(open.invitation.email)}
          action={texts.withdrawDialog.submit}
          onClose={close}
          onConfirm={() => withdraw(open.invitation)}
        >
          <Text size="sm">{texts.withdrawDialog.explanation}</Text>
        </ConfirmDialog>
      )}
    </Section>
  )
}
