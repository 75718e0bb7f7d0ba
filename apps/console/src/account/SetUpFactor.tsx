/**
 * Sets a second factor up: password, then the key and the first code of the app. The key is in the
 * state of this component only.
 */
import { Button, Code, Group, Stack, Text } from "@mantine/core"
import { QRCodeSVG } from "qrcode.react"
import { type FormEvent, useState } from "react"
import { type Answer, ask } from "../api/ask.ts"
import { Failure } from "../shell/Failure.tsx"
import { CodeInput, CurrentPasswordInput } from "../shell/SecretInputs.tsx"
import { useAction } from "../shell/useAction.ts"
import { factorTexts as texts } from "../texts/en/account.ts"
import { shellTexts } from "../texts/en/shell.ts"

type FactorSecret = Answer<"POST /console/account/second-factor">

const path = "/console/account/second-factor"

interface Props {
  readonly hasPassword: boolean
  readonly onEnabled: (recoveryCodes: ReadonlyArray<string>) => void
  /** Without it there is no button to cancel. */
  readonly onCancel?: () => void
}

const KeyOf = ({ factor: { secret, uri } }: { readonly factor: FactorSecret }) => (
  <>
    <Text size="sm">{texts.scan}</Text>
    <Group justify="center">
      <QRCodeSVG value={uri} size={200} marginSize={4} title={texts.qrCode} />
    </Group>
    <Text size="sm">
      {texts.key}: <Code translate="no">{secret.replaceAll(/.{4}(?=.)/g, "$& ")}</Code>
    </Text>
  </>
)

export const SetUpFactor = ({ hasPassword, onCancel, onEnabled }: Props) => {
  const [password, setPassword] = useState("")
  const [code, setCode] = useState("")
  const [factor, setFactor] = useState<FactorSecret>()
  const going = useAction(async () => {
    if (factor === undefined) setFactor(await ask(`POST ${path}`, { payload: { password } }))
    else onEnabled((await ask(`PUT ${path}`, { payload: { code } })).recoveryCodes)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void going.run()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {going.error !== null && <Failure title={texts.failed} error={going.error} />}
        {factor === undefined ? (
          hasPassword && (
            <CurrentPasswordInput
              description={texts.passwordHint}
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )
        ) : (
          <>
            <KeyOf factor={factor} />
            <CodeInput autoFocus value={code} onChange={(event) => setCode(event.currentTarget.value)} />
          </>
        )}
        <Group justify="flex-end">
          {onCancel !== undefined && (
            <Button variant="default" disabled={going.busy} onClick={onCancel}>
              {shellTexts.cancel}
            </Button>
          )}
          <Button type="submit" loading={going.busy}>
            {factor === undefined ? texts.next : texts.enable}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
