/**
 * The menu of a webhook.
 */
import { Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { IssuedWebhook, Webhook } from "@solar-sites/http-node/client"
import { client } from "../api/client.ts"
import { messageOf } from "../api/failures.ts"
import { RowMenu } from "../lists/RowMenu.tsx"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useCan } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { webhookTexts as texts } from "../texts/en/webhooks.ts"
import { DeliveriesDrawer } from "./DeliveriesDrawer.tsx"
import { WebhookFormDialog } from "./WebhookFormDialog.tsx"
import { refreshWebhooks } from "./webhookQueries.ts"

interface Props {
  readonly webhook: Webhook
  /** Called with a new secret. */
  readonly onIssued: (issued: IssuedWebhook) => void
}

/** An action of the menu. Its error is a notification, since the menu is closed. */
const useMenuAction = (act: () => Promise<void>, failed: string) =>
  useAction(async () => {
    try {
      await act()
    } catch (error) {
      notifications.show({ color: "red", title: failed, message: messageOf(error) })
      throw error
    } finally {
      await refreshWebhooks()
    }
  })

export const WebhookActions = ({ onIssued, webhook }: Props) => {
  const { enabled, id, url } = webhook
  const canWrite = useCan("webhooks:write")
  const testing = useMenuAction(async () => {
    const { error, status } = await client.webhooks.test(id)
    if (status === "delivered") notifications.show({ message: texts.tested })
    else notifications.show({ color: "red", title: texts.testFailed, message: error })
  }, texts.testFailed)
  const switching = useMenuAction(async () => {
    await client.webhooks.update(id, { enabled: !enabled })
    notifications.show({ message: enabled ? texts.disabledDone : texts.enabledDone })
  }, texts.failed)

  const rotate = async () => {
    onIssued(await client.webhooks.rotateSecret(id))
  }
  const remove = async () => {
    await client.webhooks.delete(id)
    await refreshWebhooks()
    notifications.show({ message: texts.deleteDialog.done })
  }

  const confirmation =
    (texts: { readonly title: string; readonly submit: string }, explanation: string, confirm: () => Promise<void>) =>
    (close: () => void) => (
      <ConfirmDialog
        title={texts.title}
        action={texts.submit}
        color={confirm === remove ? "red" : "petrol"}
        onClose={close}
        onConfirm={confirm}
      >
        <Text size="sm">{explanation}</Text>
      </ConfirmDialog>
    )
  const { deleteDialog, rotateDialog } = texts
  return (
    <RowMenu
      label={texts.actions(url)}
      busy={testing.busy || switching.busy}
      actions={[
        { label: texts.deliveries, dialog: (close) => <DeliveriesDrawer webhook={webhook} onClose={close} /> },
        ...[
          { label: texts.test, run: testing.run },
          {
            label: texts.edit,
            dialog: (close: () => void) => <WebhookFormDialog webhook={webhook} onClose={close} />
          },
          { label: enabled ? texts.disable : texts.enable, run: switching.run },
          { label: texts.rotate, dialog: confirmation(rotateDialog, rotateDialog.explanation, rotate) },
          {
            label: texts.delete,
            isDangerous: true,
            dialog: confirmation(deleteDialog, deleteDialog.explanation(url), remove)
          }
        ].map((action) => ({ ...action, isOffered: canWrite }))
      ]}
    />
  )
}
