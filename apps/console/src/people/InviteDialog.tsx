/**
 * Invites a user by an e-mail address.
 */
import { TextInput } from "@mantine/core"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import type { IssuedInvitation, Role } from "../api/people.ts"
import { PortfolioPicker } from "../portfolios/PortfolioPicker.tsx"
import type { PortfolioLimit } from "../portfolios/portfolioLimit.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
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
  const [limit, setLimit] = useState<PortfolioLimit>(null)
  const { collect, faultOf } = useFaults("email")
  // The choice of portfolios moves the button.
  const { isReading } = usePortfolioNames()
  const send = async () => {
    // Owners are never limited; without the member the user sees what the inviter sees.
    const limited = limit === null || role === "owner" ? {} : { portfolioIds: limit }
    const payload = { email, role, ...limited }
    await collect(async () => onInvited(await ask("POST /console/invitations", { payload })))
    // `onInvited` replaces the dialog.
    return false
  }
  return (
    <ConfirmDialog
      title={texts.title}
      action={texts.submit}
      color="petrol"
      disabled={isReading || (role !== "owner" && limit?.length === 0)}
      onClose={onClose}
      onConfirm={send}
    >
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
      {role !== "owner" && <PortfolioPicker value={limit} onChange={setLimit} />}
    </ConfirmDialog>
  )
}
