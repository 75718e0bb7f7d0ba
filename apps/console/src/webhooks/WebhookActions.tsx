/**
 * The menu of a webhook.
 */
import { ActionIcon, Menu, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { IssuedWebhook, Webhook } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { messageOf } from "../api/failures.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { IconDots } from "../shell/icons.ts"
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
  const [dialog, setDialog] = useState<"deliveries" | "edit" | "rotate" | "delete">()
  const close = () => setDialog(undefined)

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

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            loading={testing.busy || switching.busy}
            aria-label={texts.actions(url)}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog("deliveries")}>{texts.deliveries}</Menu.Item>
          {canWrite && (
            <>
              <Menu.Item onClick={() => testing.run()}>{texts.test}</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => setDialog("edit")}>{texts.edit}</Menu.Item>
              <Menu.Item onClick={() => switching.run()}>{enabled ? texts.disable : texts.enable}</Menu.Item>
              <Menu.Item onClick={() => setDialog("rotate")}>{texts.rotate}</Menu.Item>
              <Menu.Item color="var(--mantine-color-error)" onClick={() => setDialog("delete")}>
                {texts.delete}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === "deliveries" && <DeliveriesDrawer webhook={webhook} onClose={close} />}
      {dialog === "edit" && <WebhookFormDialog webhook={webhook} onClose={close} />}
      {dialog === "rotate" && (
        <ConfirmDialog
          title={texts.rotateDialog.title}
          action={texts.rotateDialog.submit}
          color="petrol"
          onClose={close}
          onConfirm={rotate}
        >
          <Text size="sm">{texts.rotateDialog.explanation}</Text>
        </ConfirmDialog>
      )}
      {dialog === "delete" && (
        <ConfirmDialog
          title={texts.deleteDialog.title}
          action={texts.deleteDialog.submit}
          onClose={close}
          onConfirm={remove}
        >
          <Text size="sm">{texts.deleteDialog.explanation(url)}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
