/**
 * Name, e-mail address and password.
 */
import { Button, Group, Text, TextInput } from "@mantine/core"
import { isNotEmpty, useForm } from "@mantine/form"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import { fieldErrorsOf } from "../api/failures.ts"
import { refreshSession } from "../api/queries.ts"
import { Failure } from "../shell/Failure.tsx"
import { Section } from "../shell/Section.tsx"
import { useSession } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { accountTexts as texts } from "../texts/en/account.ts"
import { loginTexts } from "../texts/en/login.ts"
import { EmailDialog } from "./EmailDialog.tsx"
import { PasswordDialog } from "./PasswordDialog.tsx"

const NameForm = () => {
  const { user } = useSession()
  const form = useForm({ initialValues: { name: user.name }, validate: { name: isNotEmpty(texts.nameMissing) } })
  const saving = useAction(async (name: string) => {
    try {
      await ask("PUT /console/account", { payload: { name } })
      await refreshSession()
      notifications.show({ message: texts.saved })
    } catch (error) {
      form.setErrors(fieldErrorsOf(error))
      throw error
    }
  })
  return (
    <form onSubmit={form.onSubmit(({ name }) => saving.run(name.trim()))} noValidate>
      {saving.error !== null && <Failure title={texts.notSaved} error={saving.error} />}
      <Group align="flex-end" gap="sm">
        <TextInput
          label={texts.name}
          autoComplete="name"
          flex="1 1 200px"
          required
          withAsterisk={false}
          {...form.getInputProps("name")}
        />
        <Button type="submit" variant="default" loading={saving.busy}>
          {texts.save}
        </Button>
      </Group>
    </form>
  )
}

export const ProfileSection = ({ hasPassword }: { readonly hasPassword: boolean }) => {
  const { user } = useSession()
  const [dialog, setDialog] = useState<"email" | "password">()
  const close = () => setDialog(undefined)
  return (
    <Section title={texts.profile}>
      <NameForm />
      <Text size="sm">
        {loginTexts.email}: {user.email}
      </Text>
      {hasPassword ? (
        <Group gap="sm">
          <Button variant="default" onClick={() => setDialog("email")}>
            {texts.changeEmail}
          </Button>
          <Button variant="default" onClick={() => setDialog("password")}>
            {texts.changePassword}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.noPassword}
        </Text>
      )}
      {dialog === "email" && <EmailDialog onClose={close} />}
      {dialog === "password" && <PasswordDialog onClose={close} />}
    </Section>
  )
}
