/**
 * Approves or rejects the selected documents. The API decides on one document per request.
 */
import { Button, Group, Paper, Text, Textarea } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { ChangeDocumentStatus, Document } from "@solar-sites/http-node/client"
import { useRef, useState } from "react"
import { client } from "../api/client.ts"
import { isProblem } from "../api/failures.ts"
import { refreshDocuments } from "../documents/documentQueries.ts"
import { EachDialog } from "../lists/EachDialog.tsx"
import type { Selection } from "../lists/useSelection.ts"
import classes from "../sites/Sites.module.css"
import { documentListTexts as texts } from "../texts/en/documentList.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { listTexts } from "../texts/en/lists.ts"

interface DialogProps {
  readonly documents: ReadonlyArray<Document>
  /** Called with documents that can still be decided on, in their newest versions. */
  readonly onDone: (left: ReadonlyArray<Document>) => void
  readonly onClose: () => void
}

/** Changes documents in the version that was selected, and keeps what others made of them. */
const useDecision = ({ documents, onDone }: Pick<DialogProps, "documents" | "onDone">) => {
  // Null for deleted documents.
  const newest = useRef(new Map<string, Document | null>())
  const decide = async (document: Document, change: ChangeDocumentStatus): Promise<void> => {
    try {
      await client.documents.changeStatus(document.id, change, { expectedVersion: document.version })
    } catch (error) {
      if (isProblem(error, "document_not_found")) newest.current.set(document.id, null)
      if (isProblem(error, "precondition_failed") || isProblem(error, "invalid_transition")) {
        const theirs = await client.documents.get(document.id)
        newest.current.set(document.id, theirs)
        if (theirs.status === "approved" && change.status === "approved") return
      }
      throw error
    }
  }
  const finish = (left: ReadonlyArray<Document>): void => {
    void refreshDocuments(...new Set(documents.map(({ siteId }) => siteId)))
    const known = left.map((document) => newest.current.get(document.id) ?? document)
    const isOpen = ({ id, status }: Document) => status === "uploaded" && newest.current.get(id) !== null
    onDone(known.filter(isOpen))
  }
  return { decide, finish }
}

const nameOf = ({ filename }: Document): string => filename

const ApproveDialog = ({ documents, onClose, onDone }: DialogProps) => {
  const { decide, finish } = useDecision({ documents, onDone })
  return (
    <EachDialog
      title={texts.approveTitle(documents.length)}
      action={texts.approveAction(documents.length)}
      color="petrol"
      items={documents}
      nameOf={nameOf}
      act={(document) => decide(document, { status: "approved" })}
      onDone={(left) => {
        notifications.show({ message: texts.approved(documents.length - left.length) })
        finish(left)
      }}
      onClose={onClose}
    >
      <Text size="sm">{texts.approveHint}</Text>
    </EachDialog>
  )
}

const RejectDialog = ({ documents, onClose, onDone }: DialogProps) => {
  const [reason, setReason] = useState("")
  const { decide, finish } = useDecision({ documents, onDone })
  return (
    <EachDialog
      title={texts.rejectTitle(documents.length)}
      action={texts.rejectAction(documents.length)}
      disabled={reason.trim() === ""}
      items={documents}
      nameOf={nameOf}
      act={(document) => decide(document, { status: "failed", reason })}
      onDone={(left) => {
        notifications.show({ message: texts.rejected(documents.length - left.length) })
        finish(left)
      }}
      onClose={onClose}
    >
      <Textarea
        label={documentTexts.rejectReason}
        description={texts.rejectHint}
        required
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </EachDialog>
  )
}

interface Props {
  readonly selection: Selection<Document>
  /** Documents of this page. */
  readonly shown: ReadonlyArray<Document>
}

export const ReviewBar = ({ selection, shown }: Props) => {
  const [dialog, setDialog] = useState<"approve" | "reject">()
  const documents = [...selection.items.values()]
  if (documents.length === 0 && dialog === undefined) return null
  const keep = (left: ReadonlyArray<Document>) => {
    selection.clear()
    selection.mark(left, true)
  }
  const shared = { documents, onDone: keep, onClose: () => setDialog(undefined) }
  return (
    <Paper withBorder shadow="md" p="xs" className={classes.selection}>
      <Group gap="xs">
        <Text size="sm" fw={500} role="status">
          {listTexts.selected(documents.length, shown.filter(({ id }) => selection.items.has(id)).length)}
        </Text>
        <Button size="xs" disabled={documents.length === 0} onClick={() => setDialog("approve")}>
          {texts.approve}
        </Button>
        <Button size="xs" variant="default" disabled={documents.length === 0} onClick={() => setDialog("reject")}>
          {texts.reject}
        </Button>
        <Button size="xs" variant="subtle" onClick={selection.clear}>
          {listTexts.clearSelection}
        </Button>
      </Group>
      {dialog === "approve" && <ApproveDialog {...shared} />}
      {dialog === "reject" && <RejectDialog {...shared} />}
    </Paper>
  )
}
