/**
 * The menu of a document: the actions that its state allows.
 */
import { ActionIcon, Menu } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { ChangeDocumentStatus, Document } from "@solar-sites/http-node/client"
import { type ChangeEvent, useRef, useState } from "react"
import { client } from "../api/client.ts"
import { messageOf } from "../api/failures.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { IconDots } from "../shell/icons.ts"
import { useCan } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { documentTexts as texts } from "../texts/documents.ts"
import { refreshDocuments } from "./documentQueries.ts"
import { possibleActions } from "./possibleActions.ts"
import { RejectDialog } from "./RejectDialog.tsx"
import { isUnderWay } from "./Upload.ts"
import { uploadQueue } from "./useUploads.ts"

/**
 * Files come as attachments, so the page stays. `download` keeps browsers from
 * taking the click for leaving the page, which would end uploads, but works for
 * our own origin alone. Other storage opens in a new tab while files are sent.
 */
const download = async ({ id }: Document): Promise<void> => {
  const { url } = await client.documents.downloadUrl(id)
  const elsewhere = new URL(url).origin !== location.origin
  const target = elsewhere && uploadQueue.uploads().some(isUnderWay) ? "_blank" : "_self"
  const link = { href: url, download: "", target, rel: "noopener noreferrer" }
  Object.assign(window.document.createElement("a"), link).click()
}

export const DocumentActions = ({ document }: { readonly document: Document }) => {
  const [dialog, setDialog] = useState<"reject" | "delete">()
  const input = useRef<HTMLInputElement>(null)
  const close = () => setDialog(undefined)
  const canWrite = useCan("documents:write")
  const canApprove = useCan("documents:approve")
  const can = possibleActions(document, { canWrite, canApprove })

  const { run } = useAction(async (act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (error) {
      notifications.show({ color: "red", title: texts.failed, message: messageOf(error) })
      throw error
    } finally {
      await refreshDocuments(document.siteId)
    }
  })
  const change = (change: ChangeDocumentStatus) => () =>
    run(() => client.documents.changeStatus(document.id, change, { expectedVersion: document.version }))
  const resend = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    currentTarget.value = ""
    if (file !== undefined) void uploadQueue.resend(document, file)
  }
  const remove = async () => {
    await client.documents.delete(document.id)
    await refreshDocuments(document.siteId)
    notifications.show({ message: texts.deleted(document.filename) })
  }

  if (!Object.values(can).includes(true)) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.actions(document.filename)}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {can.download && <Menu.Item onClick={() => run(() => download(document))}>{texts.download}</Menu.Item>}
          {can.approve && <Menu.Item onClick={change({ status: "approved" })}>{texts.approve}</Menu.Item>}
          {can.complete && <Menu.Item onClick={change({ status: "completed" })}>{texts.complete}</Menu.Item>}
          {can.lookAgain && <Menu.Item onClick={change({ status: "uploaded" })}>{texts.lookAgain}</Menu.Item>}
          {can.resend && <Menu.Item onClick={() => input.current?.click()}>{texts.sendAgain}</Menu.Item>}
          {can.reject && <Menu.Item onClick={() => setDialog("reject")}>{texts.reject}</Menu.Item>}
          {can.delete && (
            <Menu.Item color="var(--mantine-color-error)" onClick={() => setDialog("delete")}>
              {texts.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <input ref={input} type="file" hidden aria-hidden tabIndex={-1} onChange={resend} />
      {dialog === "reject" && <RejectDialog document={document} onClose={close} />}
      {dialog === "delete" && (
        <ConfirmDialog
          title={texts.deleteTitle(document.filename)}
          action={texts.deleteAction}
          onClose={close}
          onConfirm={remove}
        >
          {texts.deleteHint}
        </ConfirmDialog>
      )}
    </>
  )
}
