/**
 * Rejects a document with a reason.
 */
import { Textarea } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { fieldErrorsOf } from "../api/failures.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { asSentence } from "../texts/formats.ts"
import { refreshDocuments } from "./documentQueries.ts"

interface Props {
  readonly document: Document
  readonly onClose: () => void
  readonly onRejected?: () => void
}

export const RejectDialog = ({ document, onClose, onRejected }: Props) => {
  const [reason, setReason] = useState("")
  const [fault, setFault] = useState<string>()
  const reject = async () => {
    setFault(undefined)
    try {
      await client.documents.changeStatus(
        document.id,
        { status: "failed", reason },
        { expectedVersion: document.version }
      )
    } catch (error) {
      const { reason: message } = fieldErrorsOf(error)
      if (message === undefined) throw error
      setFault(asSentence(message))
      return false
    }
    onRejected?.()
    await refreshDocuments(document.siteId)
    return true
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
        required
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        error={fault}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
