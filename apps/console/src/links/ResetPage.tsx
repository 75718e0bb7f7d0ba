/**
 * Sets a new password by a link.
 */
import { Button, Stack, Text } from "@mantine/core"
import { isNotEmpty, useForm } from "@mantine/form"
import { useState } from "react"
import { Link } from "react-router"
import { ask } from "../api/ask.ts"
import { fieldErrorsOf } from "../api/failures.ts"
import { Screen } from "../shell/Screen.tsx"
import { NewPasswordInput } from "../shell/SecretInputs.tsx"
import { useAction } from "../shell/useAction.ts"
import { accountTexts } from "../texts/en/account.ts"
import { linkTexts } from "../texts/en/links.ts"
import { LinkScreen } from "./LinkScreen.tsx"
import { linkToken } from "./linkToken.ts"

const texts = linkTexts.reset

export const ResetPage = () => {
  const [email, setEmail] = useState<string>()
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: isNotEmpty(accountTexts.passwordMissing) }
  })
  const changing = useAction(async (password: string) => {
    try {
      const payload = { token: linkToken, password }
      setEmail((await ask("POST /console/password-resets/complete", { payload })).email)
    } catch (error) {
      form.setErrors(fieldErrorsOf(error))
      throw error
    }
  })
  if (email !== undefined) {
    return (
      <Screen title={texts.title}>
        <Text role="status">{texts.done(email)}</Text>
        <Button component={Link} to="/login">
          {linkTexts.toLogin}
        </Button>
      </Screen>
    )
  }
  return (
    <LinkScreen title={texts.title} error={changing.error} failed={texts.failed}>
      <form onSubmit={form.onSubmit(({ password }) => changing.run(password))} noValidate>
        <Stack>
          <NewPasswordInput autoFocus {...form.getInputProps("password")} />
          <Text size="sm">{texts.hint}</Text>
          <Button type="submit" loading={changing.busy}>
            {texts.submit}
          </Button>
        </Stack>
      </form>
    </LinkScreen>
  )
}
