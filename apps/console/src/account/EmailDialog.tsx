/**
 * Requests a change of the own e-mail address. It is confirmed at the new one.
 */
import { Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { CurrentPasswordInput } from "../shell/SecretInputs.tsx"
import { useFaults } from "../shell/useFaults.ts"
import { accountTexts } from "../texts/en/account.ts"

const texts = accountTexts.emailDialog

export const EmailDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const { collect, faultOf } = useFaults("email")
  const send = () =>
    collect(async () => {
      await ask("POST /console/account/email", { payload: { email, password } })
      notifications.show({ message: texts.done(email.trim()) })
    })
  return (
    <ConfirmDialog title={texts.title} action={texts.submit} color="petrol" onClose={onClose} onConfirm={send}>
      <Text size="sm">{texts.explanation}</Text>
      <TextInput
        label={texts.email}
        type="email"
        autoComplete="email"
        data-autofocus
        required
        withAsterisk={false}
        value={email}
        error={faultOf("email")}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <CurrentPasswordInput value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
    </ConfirmDialog>
  )
}
