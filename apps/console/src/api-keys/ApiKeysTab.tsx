/**
 * The API keys of the organisation: list, make, replace, delete. A whole key is
 * in the state of this page while its dialog is open, and nowhere else.
 */
import { Button, EmptyState, Paper, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import type { ApiKey, NewApiKey } from "../api/Console.ts"
import { isManager } from "../api/people.ts"
import { CompanyTab } from "../company/CompanyTab.tsx"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { Failure } from "../shell/Failure.tsx"
import { IconPlus } from "../shell/icons.ts"
import { RevealDialog } from "../shell/RevealDialog.tsx"
import { useSession } from "../shell/session.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { apiKeyTexts as texts } from "../texts/en/apiKeys.ts"
import { ApiKeyTable } from "./ApiKeyTable.tsx"
import { apiKeysQuery, refreshApiKeys } from "./apiKeyQueries.ts"
import { CreateKeyDialog } from "./CreateKeyDialog.tsx"
import { DeveloperSection } from "./DeveloperSection.tsx"
import { RotateKeyDialog } from "./RotateKeyDialog.tsx"

type Open =
  | { readonly dialog: "create" }
  | { readonly dialog: "rotate" | "delete"; readonly apiKey: ApiKey }
  | { readonly dialog: "reveal"; readonly issued: NewApiKey }

const remove = async ({ id, name }: ApiKey): Promise<void> => {
  await ask("DELETE /console/api-keys/:id", { params: { id } })
  void refreshApiKeys()
  notifications.show({ message: texts.deleteDialog.done(name) })
}

/** Only owners and admins manage keys; the server refuses even the list to others. */
export const ApiKeysTab = () => {
  const { user } = useSession()
  return isManager(user.role) ? <ManagedKeys /> : <CompanyTab description={texts.notManager} />
}

const ManagedKeys = () => {
  const { organisation } = useSession()
  const { data: apiKeys, error, refetch } = useQuery(apiKeysQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const create = () => setOpen({ dialog: "create" })
  const close = () => setOpen(null)
  const reveal = (issued: NewApiKey) => {
    setOpen({ dialog: "reveal", issued })
    void refreshApiKeys()
  }
  return (
    <CompanyTab
      description={texts.description(organisation.name)}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
          {texts.create}
        </Button>
      }
    >
      <DeveloperSection />
      {apiKeys === undefined ? (
        error === null ? (
          <Waiting />
        ) : (
          <Failure error={error} onRetry={refetch} />
        )
      ) : (
        <Paper withBorder>
          {apiKeys.length === 0 ? (
            <EmptyState title={texts.none} description={texts.noneYet} py="xl" />
          ) : (
            <ApiKeyTable
              apiKeys={apiKeys}
              onRotate={(apiKey) => setOpen({ dialog: "rotate", apiKey })}
              onDelete={(apiKey) => setOpen({ dialog: "delete", apiKey })}
            />
          )}
        </Paper>
      )}
      {open?.dialog === "create" && (
        <CreateKeyDialog organisation={organisation.name} onClose={close} onCreated={reveal} />
      )}
      {open?.dialog === "rotate" && <RotateKeyDialog apiKey={open.apiKey} onClose={close} onRotated={reveal} />}
      {open?.dialog === "reveal" && (
        <RevealDialog
          {...texts.revealDialog}
          title={texts.revealDialog.created(open.issued.name)}
          label={texts.revealDialog.key}
          secret={open.issued.key}
          onClose={close}
        />
      )}
      {open?.dialog === "delete" && (
        <ConfirmDialog
          title={texts.deleteDialog.title(open.apiKey.name)}
          action={texts.deleteDialog.submit}
          onConfirm={() => remove(open.apiKey)}
          onClose={close}
        >
          <Text size="sm">{texts.deleteDialog.explanation(open.apiKey.prefix)}</Text>
        </ConfirmDialog>
      )}
    </CompanyTab>
  )
}
