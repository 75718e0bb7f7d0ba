/**
 * Rejects a document with a reason.
 */
import { Textarea } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { useState } from "react"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { decide } from "./decisions.tsx"

interface Props {
  readonly document: Document
  readonly onClose: () => void
  readonly onRejected?: () => void
}

/** The limit of the API, which refuses only characters that no keyboard has beside it. */
const longest = 500

export const RejectDialog = ({ document, onClose, onRejected }: Props) => {
  const [reason, setReason] = useState("")
  const [isMissing, setMissing] = useState(false)
  const reject = async () => {
    const isEmpty = reason.trim() === ""
    setMissing(isEmpty)
    if (isEmpty) return false
    decide(document, { status: "failed", reason })
    onRejected?.()
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
        maxLength={longest}
        value={reason}
        error={isMissing && texts.rejectEmpty}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
