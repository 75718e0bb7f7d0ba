/**
 * Invites a user by an e-mail address.
 */
import { TextInput } from "@mantine/core"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import type { IssuedInvitation, Role } from "../api/people.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useFaults } from "../shell/useFaults.ts"
import { invitationTexts } from "../texts/en/people.ts"
import { RoleChoice } from "./RoleChoice.tsx"

const texts = invitationTexts.createDialog

interface Props {
  readonly onInvited: (invitation: IssuedInvitation) => void
  readonly onClose: () => void
}

export const InviteDialog = ({ onClose, onInvited }: Props) => {
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<Role>("viewer")
  const { collect, faultOf } = useFaults("email")
  const send = async () => {
    await collect(async () => onInvited(await ask("POST /console/invitations", { payload: { email, role } })))
    // `onInvited` replaces the dialog.
    return false
  }
  return (
    <ConfirmDialog title={texts.title} action={texts.submit} color="petrol" onClose={onClose} onConfirm={send}>
      <TextInput
        label={texts.email}
        type="email"
        autoComplete="off"
        data-autofocus
        required
        withAsterisk={false}
        value={email}
        error={faultOf("email")}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleChoice value={role} onChange={setRole} />
    </ConfirmDialog>
  )
}
