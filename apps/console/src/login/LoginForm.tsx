/**
 * E-mail and password, then the code of the second factor when the user has one. The password is
 * cleared once it is not needed for the code.
 */
import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core"
import { isNotEmpty, useForm } from "@mantine/form"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import { isProblem } from "../api/failures.ts"
import { enterSession } from "../api/queries.ts"
import { Failure } from "../shell/Failure.tsx"
import { CodeInput } from "../shell/SecretInputs.tsx"
import { useAction } from "../shell/useAction.ts"
import { loginTexts } from "../texts/en/login.ts"

interface Props {
  /** Filled in already. */
  readonly email?: string | undefined
}

const useLogin = (email: string) => {
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm({
    initialValues: { email, password: "", code: "" },
    validate: {
      email: isNotEmpty(loginTexts.emailMissing),
      password: isNotEmpty(loginTexts.passwordMissing),
      code: (code) => (needsCode && code.trim() === "" ? loginTexts.codeMissing : null)
    }
  })
  const startOver = () => {
    setNeedsCode(false)
    form.setValues({ password: "", code: "" })
  }
  const entering = useAction(async ({ code, ...credentials }: typeof form.values) => {
    try {
      const payload = { ...credentials, ...(needsCode ? { code } : {}) }
      await enterSession(await ask("POST /console/session", { payload }))
      startOver()
    } catch (error) {
      if (isProblem(error, "second_factor_required")) return setNeedsCode(true)
      if (isProblem(error, "second_factor_wrong")) form.setFieldValue("code", "")
      else startOver()
      throw error
    }
  })
  const back = () => {
    entering.reset()
    startOver()
  }
  return { form, needsCode, entering, back, submit: form.onSubmit((values) => entering.run(values)) }
}

export const LoginForm = ({ email = "" }: Props) => {
  const { back, entering, form, needsCode, submit } = useLogin(email)
  const failure = entering.error !== null && <Failure title={loginTexts.failed} error={entering.error} />
  if (needsCode) {
    return (
      <form onSubmit={submit} noValidate>
        <Stack>
          {failure}
          <CodeInput description={loginTexts.codeHint} autoFocus {...form.getInputProps("code")} />
          <Group grow>
            <Button variant="default" disabled={entering.busy} onClick={back}>
              {loginTexts.back}
            </Button>
            <Button type="submit" loading={entering.busy}>
              {loginTexts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {failure}
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
