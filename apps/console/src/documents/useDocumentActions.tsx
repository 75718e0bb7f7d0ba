/**
 * What can be done with a document in its state, for menus and buttons. `dialogs` must be rendered.
 */
import { notifications } from "@mantine/notifications"
import type { ChangeDocumentStatus, Document } from "@solar-sites/http-node/client"
import { type ChangeEvent, useRef, useState } from "react"
import { client } from "../api/client.ts"
import { messageOf } from "../api/failures.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useAction } from "../shell/useAction.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { isUploading, uploadQueue } from "../uploads/useUploads.ts"
import { decide } from "./decisions.tsx"
import { refreshDocuments } from "./documentQueries.ts"
import { EditDocumentDialog } from "./EditDocumentDialog.tsx"
import { usePossibleActions } from "./possibleActions.ts"
import { RejectDialog } from "./RejectDialog.tsx"

/**
 * Files come as attachments, so the page stays. `download` keeps browsers from
 * taking the click for leaving the page, which would end uploads, but works for
 * our own origin alone. Other storage opens in a new tab while files are sent.
 */
const download = async ({ id }: Document): Promise<void> => {
  const { url } = await client.documents.downloadUrl(id)
  const elsewhere = new URL(url).origin !== location.origin
  const target = elsewhere && isUploading() ? "_blank" : "_self"
  const link = { href: url, download: "", target, rel: "noopener noreferrer" }
  Object.assign(window.document.createElement("a"), link).click()
}

interface Options {
  readonly onDeleted?: (() => void) | undefined
  /** Called after an approval or a rejection, which can be undone. */
  readonly onDecided?: ((document: Document) => void) | undefined
}

export const useDocumentActions = (document: Document, { onDecided, onDeleted }: Options = {}) => {
  const [dialog, setDialog] = useState<"reject" | "delete" | "edit">()
  const input = useRef<HTMLInputElement>(null)
  const close = () => setDialog(undefined)

  const { busy, run } = useAction(async (act: () => Promise<unknown>) => {
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
    onDeleted?.()
    await refreshDocuments(document.siteId)
    notifications.show({ message: texts.deleted(document.filename) })
  }

  const dialogs = (
    <>
      <input ref={input} type="file" hidden aria-hidden tabIndex={-1} onChange={resend} />
      {dialog === "edit" && <EditDocumentDialog document={document} onClose={close} />}
      {dialog === "reject" && (
        <RejectDialog document={document} onClose={close} onRejected={() => onDecided?.(document)} />
      )}
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
  return {
    can: usePossibleActions(document),
    busy,
    dialogs,
    download: () => run(() => download(document)),
    approve: () => {
      decide(document, { status: "approved" })
      onDecided?.(document)
    },
    complete: change({ status: "completed" }),
    lookAgain: change({ status: "uploaded" }),
    resend: () => input.current?.click(),
    edit: () => setDialog("edit"),
    reject: () => setDialog("reject"),
    remove: () => setDialog("delete")
  }
}
