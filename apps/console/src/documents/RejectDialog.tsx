/**
 * Rejects a document with a reason.
 */
import { Textarea } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { documentTexts as texts } from "../texts/documents.ts"
import { refreshDocuments } from "./documentQueries.ts"

interface Props {
  readonly document: Document
  readonly onClose: () => void
}

export const RejectDialog = ({ document, onClose }: Props) => {
  const [reason, setReason] = useState("")
  const reject = async () => {
    await client.documents.changeStatus(document.id, { status: "failed", reason }, { ifMatch: document.version })
    await refreshDocuments(document.siteId)
  }
  return (
    <ConfirmDialog
      title={texts.rejectTitle(document.filename)}
      action={texts.rejectAction}
      onClose={onClose}
      onConfirm={reject}
    >
      <Textarea
        label={texts.rejectReason}
        description={texts.rejectHint}
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
