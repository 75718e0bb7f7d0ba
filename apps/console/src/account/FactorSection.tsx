/**
 * The second factor: set-up, recovery codes, switching off.
 */
import { Button, Group, Modal, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { type Answer, ask } from "../api/ask.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { CodeInput, CurrentPasswordInput } from "../shell/SecretInputs.tsx"
import { Section } from "../shell/Section.tsx"
import { useFocusReturn } from "../shell/useFocusReturn.ts"
import { factorTexts as texts } from "../texts/en/account.ts"
import { formatDate } from "../texts/formats.ts"
import { refreshAccount } from "./accountQueries.ts"
import { RecoveryCodesDialog } from "./RecoveryCodesDialog.tsx"
import { SetUpFactor } from "./SetUpFactor.tsx"

interface DialogProps {
  readonly hasPassword: boolean
  readonly onCodes: (recoveryCodes: ReadonlyArray<string>) => void
  readonly onClose: () => void
}

const SetUpDialog = ({ hasPassword, onClose, onCodes }: DialogProps) => {
  useFocusReturn()
  return (
    <Modal opened onClose={onClose} title={texts.setUpDialog} closeOnClickOutside={false}>
      <SetUpFactor hasPassword={hasPassword} onEnabled={onCodes} onCancel={onClose} />
    </Modal>
  )
}

const RenewDialog = ({ onClose, onCodes }: DialogProps) => {
  const [code, setCode] = useState("")
  const renew = async () => {
    const renewed = await ask("POST /console/account/second-factor/recovery-codes", { payload: { code } })
    onCodes(renewed.recoveryCodes)
    // The dialog of the codes has replaced this one.
    return false
  }
  return (
    <ConfirmDialog
      title={texts.renewDialog.title}
      action={texts.renewDialog.submit}
      color="petrol"
      onClose={onClose}
      onConfirm={renew}
    >
      <Text size="sm">{texts.renewDialog.explanation}</Text>
      <CodeInput data-autofocus value={code} onChange={(event) => setCode(event.currentTarget.value)} />
    </ConfirmDialog>
  )
}

const DisableDialog = ({ hasPassword, onClose }: DialogProps) => {
  const [password, setPassword] = useState("")
  const [code, setCode] = useState("")
  const disable = async () => {
    await ask("DELETE /console/account/second-factor", { payload: { password, code } })
    await refreshAccount()
    notifications.show({ message: texts.disableDialog.done })
  }
  return (
    <ConfirmDialog
      title={texts.disableDialog.title}
      action={texts.disableDialog.submit}
      onClose={onClose}
      onConfirm={disable}
    >
      <Text size="sm">{texts.disableDialog.explanation}</Text>
      {hasPassword && (
        <CurrentPasswordInput
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <CodeInput value={code} onChange={(event) => setCode(event.currentTarget.value)} />
    </ConfirmDialog>
  )
}

const dialogs = { setUp: SetUpDialog, renew: RenewDialog, disable: DisableDialog }

export const FactorSection = ({ factor }: { readonly factor: Answer<"GET /console/account/second-factor"> }) => {
  const { enabledAt, hasPassword, recoveryCodesLeft, required } = factor
  const [dialog, setDialog] = useState<keyof typeof dialogs>()
  const [codes, setCodes] = useState<ReadonlyArray<string>>()
  const close = () => setDialog(undefined)
  const showCodes = (made: ReadonlyArray<string>) => {
    close()
    setCodes(made)
    void refreshAccount()
  }
  const Dialog = dialog === undefined ? undefined : dialogs[dialog]
  return (
    <Section title={texts.title}>
      <Text size="sm">{texts.explanation}</Text>
      <Text size="sm" fw={500}>
        {enabledAt === null ? texts.off : texts.on(formatDate(enabledAt), recoveryCodesLeft)}
      </Text>
      {enabledAt === null ? (
        <div>
          <Button onClick={() => setDialog("setUp")}>{texts.setUp}</Button>
        </div>
      ) : (
        <Group gap="sm">
          <Button variant="default" onClick={() => setDialog("renew")}>
            {texts.renew}
          </Button>
          {!required && (
            <Button variant="default" onClick={() => setDialog("disable")}>
              {texts.disable}
            </Button>
          )}
        </Group>
      )}
      {required && (
        <Text size="sm" c="dimmed">
          {texts.required}
        </Text>
      )}
      {Dialog !== undefined && <Dialog hasPassword={hasPassword} onCodes={showCodes} onClose={close} />}
      {codes !== undefined && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  )
}
