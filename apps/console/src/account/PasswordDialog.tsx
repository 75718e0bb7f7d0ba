/**
 * Changes the own password.
 */
import { Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { CurrentPasswordInput, NewPasswordInput } from "../shell/SecretInputs.tsx"
import { useFaults } from "../shell/useFaults.ts"
import { accountTexts } from "../texts/en/account.ts"
import { refreshAccount } from "./accountQueries.ts"

const texts = accountTexts.passwordDialog

export const PasswordDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [currentPassword, setCurrentPassword] = useState("")
  const [password, setPassword] = useState("")
  const { collect, faultOf } = useFaults("password")
  const change = () =>
    collect(async () => {
      await ask("PUT /console/account/password", { payload: { currentPassword, password } })
      await refreshAccount()
      notifications.show({ message: texts.done })
    })
  return (
    <ConfirmDialog title={texts.title} action={texts.submit} color="petrol" onClose={onClose} onConfirm={change}>
      <Text size="sm">{texts.explanation}</Text>
      <CurrentPasswordInput
        data-autofocus
        value={currentPassword}
        onChange={(event) => setCurrentPassword(event.currentTarget.value)}
      />
      <NewPasswordInput
        value={password}
        error={faultOf("password")}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
