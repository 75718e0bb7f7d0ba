/**
 * Fields for passwords and codes, with the names that password managers know.
 */
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { configurationQuery } from "../api/queries.ts"
import { accountTexts } from "../texts/en/account.ts"
import { loginTexts } from "../texts/en/login.ts"

const shared = {
  required: true,
  withAsterisk: false,
  visibilityToggleButtonProps: { "aria-label": loginTexts.show }
} as const

export const CurrentPasswordInput = (props: PasswordInputProps) => (
  <PasswordInput
    {...shared}
    label={accountTexts.currentPassword}
    name="password"
    autoComplete="current-password"
    {...props}
  />
)

export const NewPasswordInput = (props: PasswordInputProps) => {
  const { data } = useQuery(configurationQuery)
  return (
    <PasswordInput
      {...shared}
      label={accountTexts.newPassword}
      description={data && accountTexts.newPasswordHint(data.accounts.minimumPasswordCharacters)}
      name="new-password"
      autoComplete="new-password"
      {...props}
    />
  )
}

/** For a code of an authenticator app, or a recovery code. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    required
    withAsterisk={false}
    label={accountTexts.code}
    name="code"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
)
