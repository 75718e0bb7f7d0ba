/**
 * What can be done with a document, as its state and the role of the user allow. The server checks it again.
 */

import { notifications } from "@mantine/notifications"
import { hasFile } from "@solar-sites/core/model"
import type { ChangeDocumentStatus, Document } from "@solar-sites/http-node/client"
import { client } from "../api/client.ts"
import { messageOf } from "../api/failures.ts"
import type { Action } from "../lists/Action.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { IconDownload, IconPencil, IconUpload } from "../shell/icons.ts"
import { useCan } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { isUploading, uploadQueue } from "../uploads/useUploads.ts"
import { decisionOn } from "./DelayedDecisions.ts"
import { decide, useDecisions } from "./decisions.tsx"
import { revisePath } from "./documentPaths.ts"
import { refreshDocuments } from "./documentQueries.ts"
import { EditDocumentDialog } from "./EditDocumentDialog.tsx"
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

const chooseFile = (onChosen: (file: File) => void): void => {
  const input = window.document.createElement("input")
  input.type = "file"
  input.addEventListener("change", () => input.files?.[0] && onChosen(input.files[0]))
  input.click()
}

export const useDocumentActions = (document: Document, { onDecided, onDeleted }: Options = {}) => {
  const { filename, id, replacedBy, siteId, status, type, version } = document
  const canWrite = useCan("documents:write")
  const canApprove = useCan("documents:approve")
  const isDecided = decisionOn(useDecisions(), document) !== undefined
  const { busy, run } = useAction(async (act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (error) {
      notifications.show({ color: "red", title: texts.failed, message: messageOf(error) })
      throw error
    } finally {
      await refreshDocuments(siteId)
    }
  })
  const change = (change: ChangeDocumentStatus) => () =>
    void run(() => client.documents.changeStatus(id, change, { expectedVersion: version }))
  const remove = async () => {
    await client.documents.delete(id)
    onDeleted?.()
    await refreshDocuments(siteId)
    notifications.show({ message: texts.deleted(filename) })
  }
  const approve = () => {
    decide(document, { status: "approved" })
    onDecided?.(document)
  }
  const isToReview = canApprove && status === "uploaded" && !isDecided
  const actions: ReadonlyArray<Action> = [
    { label: texts.approve, isMain: true, isOffered: isToReview, run: approve },
    {
      label: texts.complete,
      hint: texts.completeHint,
      isOffered: canApprove && status === "approved",
      run: change({ status: "completed" })
    },
    {
      label: texts.reject,
      isOffered: isToReview,
      dialog: (close) => <RejectDialog document={document} onClose={close} onRejected={() => onDecided?.(document)} />
    },
    {
      label: texts.download,
      Icon: IconDownload,
      isOffered: hasFile(document),
      run: () => void run(() => download(document))
    },
    { label: texts.lookAgain, isOffered: canWrite && status === "pending", run: change({ status: "uploaded" }) },
    {
      label: texts.sendAgain,
      Icon: IconUpload,
      isOffered: canWrite && (status === "pending" || status === "failed"),
      run: () => chooseFile((file) => void uploadQueue.resend(document, file))
    },
    {
      label: texts.edit,
      Icon: IconPencil,
      isOffered: canWrite,
      dialog: (close) => <EditDocumentDialog document={document} onClose={close} />
    },
    {
      label: texts.revise,
      Icon: IconUpload,
      // Reports come from host code only.
      isOffered: canWrite && hasFile(document) && replacedBy === null && type !== "report",
      to: revisePath(document)
    },
    {
      label: texts.delete,
      isDangerous: true,
      isOffered: canWrite,
      dialog: (close) => (
        <ConfirmDialog
          title={texts.deleteTitle(filename)}
          action={texts.deleteAction}
          onClose={close}
          onConfirm={remove}
        >
          {texts.deleteHint}
        </ConfirmDialog>
      )
    }
  ]
  return { actions, busy, isDecided }
}
