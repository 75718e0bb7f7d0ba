/**
 * Creates a key in two steps: name, life and scopes, then a confirmation.
 */
import { Button, Checkbox, Group, Modal, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import type { NewApiKey } from "../api/Console.ts"
import { PortfolioPicker } from "../portfolios/PortfolioPicker.tsx"
import { limitText } from "../portfolios/portfolioLimit.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { DialogActions } from "../shell/DialogActions.tsx"
import { useSession } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { useFormGuard } from "../shell/useFormGuard.tsx"
import { accessTexts } from "../texts/en/access.ts"
import { apiKeyTexts } from "../texts/en/apiKeys.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { formatDate } from "../texts/formats.ts"
import { refreshApiKeys } from "./apiKeyQueries.ts"
import { IssueFailure } from "./IssueFailure.tsx"
import { accesses, daysOf, lives, otherLife, scopesOf, useCreateKeyForm } from "./useCreateKeyForm.ts"

const texts = apiKeyTexts.createDialog

interface CreateKeyDialogProps {
  readonly organisation: string
  readonly onCreated: (issued: NewApiKey) => void
  readonly onClose: () => void
}

const untilIn = (days: number): string => formatDate(new Date(Date.now() + days * 86_400_000).toISOString())

export const CreateKeyDialog = ({ onClose, onCreated, organisation }: CreateKeyDialogProps) => {
  const [isConfirming, setConfirming] = useState(false)
  const form = useCreateKeyForm()
  const { dialog, guarded, question } = useFormGuard(onClose)
  const values = form.getValues()
  // Owners and admins, who alone create keys, have all scopes.
  const { scopes: all } = useSession()
  const creating = useAction(async () => {
    try {
      const scopes = scopesOf(values, all)
      const { name, portfolioIds } = values
      const payload = {
        name: name.trim(),
        expiresInDays: daysOf(values),
        ...(scopes === undefined ? {} : { scopes }),
        // Without the member the key sees what its creator sees.
        ...(portfolioIds === null ? {} : { portfolioIds })
      }
      onCreated(await ask("POST /console/api-keys", { payload }))
    } catch (error) {
      if (form.takeFaults(error)) setConfirming(false)
      void refreshApiKeys()
      throw error
    }
  })
  const { isReading, nameOf } = usePortfolioNames()
  const limit = limitText(values.portfolioIds, nameOf)
  const failure = <IssueFailure title={texts.failed} error={creating.error} />
  return (
    <Modal
      opened
      {...dialog}
      onClose={() => creating.busy || dialog.onClose()}
      title={isConfirming ? texts.confirmTitle : texts.title}
      closeOnClickOutside={false}
    >
      {isConfirming ? (
        <Stack gap="md">
          <Text>{texts.confirm(values.name.trim(), untilIn(daysOf(values)))}</Text>
          {limit !== undefined && <Text>{`${accessTexts.label}: ${limit}.`}</Text>}
          <Text size="sm">{texts.confirmPower(organisation)}</Text>
          {failure}
          <Group justify="flex-end">
            <Button variant="default" disabled={creating.busy} onClick={() => setConfirming(false)}>
              {texts.back}
            </Button>
            <Button autoFocus loading={creating.busy} onClick={() => creating.run()}>
              {texts.submit}
            </Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit(() => {
            creating.reset()
            setConfirming(true)
          })}
          noValidate
          {...guarded}
        >
          <Stack gap="md">
            {failure}
            <TextInput
              label={texts.name}
              description={texts.nameHint}
              autoComplete="off"
              data-autofocus
              required
              withAsterisk={false}
              {...form.getInputProps("name")}
            />
            <Radio.Group label={texts.life} {...form.getInputProps("life")}>
              <Group gap="md" mt="xs">
                {lives.map((days) => (
                  <Radio key={days} value={String(days)} label={texts.lifeOf(days)} />
                ))}
                <Radio value={otherLife} label={texts.otherLife} />
              </Group>
            </Radio.Group>
            {values.life === otherLife && (
              <TextInput label={texts.days} w={140} inputMode="numeric" {...form.getInputProps("days")} />
            )}
            <Radio.Group label={texts.access} {...form.getInputProps("access")}>
              <Group gap="md" mt="xs">
                {accesses.map((access) => (
                  <Radio key={access} value={access} label={texts.accesses[access]} />
                ))}
              </Group>
            </Radio.Group>
            {values.access === "chosen" && (
              <Checkbox.Group label={texts.scopes} {...form.getInputProps("scopes")}>
                <SimpleGrid cols={2} spacing="xs" mt="xs">
                  {all.map((scope) => (
                    <Checkbox key={scope} value={scope} label={scope} />
                  ))}
                </SimpleGrid>
              </Checkbox.Group>
            )}
            <PortfolioPicker
              value={values.portfolioIds}
              error={form.errors["portfolioIds"]}
              onChange={(portfolioIds) => form.setFieldValue("portfolioIds", portfolioIds)}
            />
            <DialogActions>
              <Button variant="default" onClick={onClose}>
                {shellTexts.cancel}
              </Button>
              {/* The choice of portfolios moves it. */}
              <Button type="submit" disabled={isReading}>
                {texts.next}
              </Button>
            </DialogActions>
          </Stack>
        </form>
      )}
      {question}
    </Modal>
  )
}
