/**
 * Accepts an invitation: name and password, and the new user is logged in.
 */
import { Button, Stack, Text, TextInput } from "@mantine/core"
import { isNotEmpty, useForm } from "@mantine/form"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "react-router"
import { type Answer, ask } from "../api/ask.ts"
import { fieldErrorsOf } from "../api/failures.ts"
import { enterSession } from "../api/queries.ts"
import { NewPasswordInput } from "../shell/SecretInputs.tsx"
import { useAction } from "../shell/useAction.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { accountTexts } from "../texts/en/account.ts"
import { linkTexts } from "../texts/en/links.ts"
import { loginTexts } from "../texts/en/login.ts"
import { LinkScreen } from "./LinkScreen.tsx"
import { linkToken } from "./linkToken.ts"

const texts = linkTexts.invitation

const AcceptForm = ({ invitation }: { readonly invitation: Answer<"POST /console/invitations/look"> }) => {
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { name: invitation.name ?? "", password: "" },
    validate: { name: isNotEmpty(accountTexts.nameMissing), password: isNotEmpty(accountTexts.passwordMissing) }
  })
  const accepting = useAction(async (values: typeof form.values) => {
    try {
      const payload = { ...values, token: linkToken }
      await enterSession(await ask("POST /console/invitations/accept", { payload }))
      await navigate("/", { replace: true })
    } catch (error) {
      form.setErrors(fieldErrorsOf(error))
      throw error
    }
  })
  return (
    <LinkScreen title={texts.title} error={accepting.error} failed={texts.failed}>
      <Text>{texts.explanation(invitation)}</Text>
      <form onSubmit={form.onSubmit((values) => accepting.run(values))} noValidate>
        <Stack>
          <TextInput label={loginTexts.email} value={invitation.email} autoComplete="username" readOnly />
          <TextInput
            label={accountTexts.name}
            autoComplete="name"
            required
            withAsterisk={false}
            {...form.getInputProps("name")}
          />
          <NewPasswordInput {...form.getInputProps("password")} />
          <Button type="submit" loading={accepting.busy}>
            {texts.submit}
          </Button>
        </Stack>
      </form>
    </LinkScreen>
  )
}

export const InvitationPage = () => {
  const { data, error } = useQuery({
    queryKey: ["invitation"],
    queryFn: () => ask("POST /console/invitations/look", { payload: { token: linkToken } }),
    enabled: linkToken !== "",
    staleTime: Number.POSITIVE_INFINITY
  })
  return data === undefined ? (
    <LinkScreen title={texts.title} error={error} failed={texts.unreadable}>
      {error === null && <Waiting />}
    </LinkScreen>
  ) : (
    <AcceptForm invitation={data} />
  )
}
