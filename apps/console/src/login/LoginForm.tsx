/**
 * E-mail and password. The password is cleared once it was sent.
 */
import { Button, PasswordInput, Stack, TextInput } from "@mantine/core"
import { isNotEmpty, useForm } from "@mantine/form"
import type { Credentials } from "../api/Console.ts"
import { logIn } from "../api/client.ts"
import { enterSession } from "../api/queries.ts"
import { Failure } from "../shell/Failure.tsx"
import { useAction } from "../shell/useAction.ts"
import { loginTexts } from "../texts/login.ts"

interface Props {
  /** Filled in already. */
  readonly email?: string | undefined
}

export const LoginForm = ({ email = "" }: Props) => {
  const form = useForm<Credentials>({
    initialValues: { email, password: "" },
    validate: {
      email: isNotEmpty(loginTexts.emailMissing),
      password: isNotEmpty(loginTexts.passwordMissing)
    }
  })
  const entering = useAction(async (credentials: Credentials) => enterSession(await logIn(credentials)))
  const submit = form.onSubmit(async (credentials) => {
    await entering.run(credentials)
    form.setFieldValue("password", "")
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {entering.error !== null && <Failure title={loginTexts.failed} error={entering.error} />}
        <TextInput
          label={loginTexts.email}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus={email === ""}
          required
          withAsterisk={false}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label={loginTexts.password}
          name="password"
          autoComplete="current-password"
          autoFocus={email !== ""}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": loginTexts.show }}
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={entering.busy}>
          {loginTexts.submit}
        </Button>
      </Stack>
    </form>
  )
}
