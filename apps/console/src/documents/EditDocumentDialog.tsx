/**
 * Edits the metadata of a document, in every state. Only changed members are sent, on top of the
 * newest version that was read.
 */
import { Group, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core"
import type { ChangeDocumentStatus, Document } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { isProblem } from "../api/failures.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { DateInput } from "../shell/DateInput.tsx"
import { useFaults } from "../shell/useFaults.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { refreshDocuments } from "./documentQueries.ts"
import { isDocumentType } from "./Purpose.ts"

interface Props {
  readonly document: Document
  readonly onClose: () => void
}

const orNull = (text: string): string | null => (text === "" ? null : text)

const documentTypes = Object.entries(texts.documentTypes).map(([value, label]) => ({ value, label }))

export const EditDocumentDialog = ({ document, onClose }: Props) => {
  const [base] = useState(document)
  const [filename, setFilename] = useState(base.filename)
  const [documentType, setDocumentType] = useState(base.documentType)
  const [note, setNote] = useState(base.note ?? "")
  const [validFrom, setValidFrom] = useState(base.validFrom ?? "")
  const [validUntil, setValidUntil] = useState(base.validUntil ?? "")
  const { collect, faultOf } = useFaults("filename", "documentType", "note", "validFrom", "validUntil")

  const changes = (): ChangeDocumentStatus => ({
    ...(filename === base.filename ? {} : { filename }),
    ...(documentType === base.documentType ? {} : { documentType }),
    ...(orNull(note) === base.note ? {} : { note: orNull(note) }),
    ...(orNull(validFrom) === base.validFrom ? {} : { validFrom: orNull(validFrom) }),
    ...(orNull(validUntil) === base.validUntil ? {} : { validUntil: orNull(validUntil) })
  })
  const save = async () => {
    const saved = await collect(async () => {
      try {
        await client.documents.changeStatus(document.id, changes(), { expectedVersion: document.version })
      } catch (error) {
        // The next attempt is on top of the version that this reads.
        if (isProblem(error, "precondition_failed")) await refreshDocuments(document.siteId)
        throw error
      }
    })
    if (saved) await refreshDocuments(document.siteId)
    return saved
  }

  return (
    <ConfirmDialog
      title={texts.editTitle(base.filename)}
      action={texts.save}
      color="petrol"
      onClose={onClose}
      onConfirm={save}
    >
      <Stack gap="sm">
        <TextInput
          label={texts.filename}
          data-autofocus
          required
          value={filename}
          error={faultOf("filename")}
          onChange={(event) => setFilename(event.currentTarget.value)}
        />
        {base.type !== "coverImage" && (
          <NativeSelect
            label={texts.documentType}
            data={[{ value: "", label: texts.noDocumentType }, ...documentTypes]}
            value={documentType ?? ""}
            error={faultOf("documentType")}
            onChange={({ currentTarget: { value } }) => setDocumentType(isDocumentType(value) ? value : null)}
          />
        )}
        <Group grow align="flex-start" gap="sm">
          <DateInput
            label={texts.validFrom}
            value={validFrom}
            error={faultOf("validFrom")}
            onChange={(event) => setValidFrom(event.currentTarget.value)}
          />
          <DateInput
            label={texts.validUntil}
            value={validUntil}
            error={faultOf("validUntil")}
            onChange={(event) => setValidUntil(event.currentTarget.value)}
          />
        </Group>
        <Textarea
          label={texts.note}
          autosize
          minRows={2}
          maxRows={8}
          value={note}
          error={faultOf("note")}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  )
}
