/**
 * Requests a link for a new password. The page says the same for known and unknown addresses.
 */
import { Button, Stack, Text, TextInput } from "@mantine/core"
import { isNotEmpty, useForm } from "@mantine/form"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import { fieldErrorsOf } from "../api/failures.ts"
import { Failure } from "../shell/Failure.tsx"
import { Screen } from "../shell/Screen.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useAction } from "../shell/useAction.ts"
import { loginTexts } from "../texts/en/login.ts"

const texts = loginTexts.reset

export const ForgottenPage = () => {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({ initialValues: { email: "" }, validate: { email: isNotEmpty(loginTexts.emailMissing) } })
  const sending = useAction(async (email: string) => {
    try {
      await ask("POST /console/password-resets", { payload: { email } })
      setSentTo(email)
    } catch (error) {
      form.setErrors(fieldErrorsOf(error))
      throw error
    }
  })
  return (
    <Screen title={texts.title}>
      <div role="status">
        {sentTo !== undefined && (
          <Stack gap="xs">
            <Text>{texts.sent(sentTo)}</Text>
            <Text size="sm">{texts.noMail}</Text>
          </Stack>
        )}
      </div>
      {sentTo === undefined && (
        <form onSubmit={form.onSubmit(({ email }) => sending.run(email.trim()))} noValidate>
          <Stack>
            <Text size="sm">{texts.explanation}</Text>
            {sending.error !== null && <Failure title={texts.failed} error={sending.error} />}
            <TextInput
              label={loginTexts.email}
              type="email"
              autoComplete="username"
              autoFocus
              required
              withAsterisk={false}
              {...form.getInputProps("email")}
            />
            <Button type="submit" loading={sending.busy}>
              {texts.submit}
            </Button>
          </Stack>
        </form>
      )}
      <SmallLink to="/login">{texts.toLogin}</SmallLink>
    </Screen>
  )
}
