/**
 * Takes dropped or chosen files and their metadata.
 */
import { Button, FileButton, Group, Paper, Select, Stack, Text, TextInput, Title } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { type DragEvent, useState } from "react"
import { configurationQuery } from "../api/queries.ts"
import { IconUpload } from "../shell/icons.ts"
import { documentTexts, uploadTexts as texts } from "../texts/documents.ts"
import classes from "./Documents.module.css"
import { isDocumentType, isPurpose, type Purpose, purposes } from "./Purpose.ts"
import type { UploadTerms } from "./Upload.ts"
import { uploadQueue } from "./useUploads.ts"

const documentTypes = Object.entries(documentTexts.documentTypes).map(([value, label]) => ({ value, label }))

const useTerms = (siteId: string) => {
  const [purpose, setPurpose] = useState<Purpose>("documents")
  const [documentType, setDocumentType] = useState<UploadTerms["documentType"]>(null)
  const [omRecordId, setOmRecordId] = useState("")
  const terms: UploadTerms | undefined =
    purpose === "coverImage"
      ? { siteId, fileType: purpose, documentType: null }
      : purpose === "documents"
        ? { siteId, fileType: purpose, documentType }
        : omRecordId.trim() === ""
          ? undefined
          : { siteId, fileType: purpose, documentType, omRecordId }
  return { purpose, setPurpose, documentType, setDocumentType, omRecordId, setOmRecordId, terms }
}

const Limits = ({ purpose }: { readonly purpose: Purpose }) => {
  const { data } = useQuery(configurationQuery)
  if (data === undefined) return <>&nbsp;</>
  const { maximumCoverBytes, maximumFileBytes } = data.uploads
  return purpose === "coverImage" ? texts.coverLimits(maximumCoverBytes) : texts.limits(maximumFileBytes)
}

export const DropArea = ({ siteId }: { readonly siteId: string }) => {
  const { documentType, omRecordId, purpose, setDocumentType, setOmRecordId, setPurpose, terms } = useTerms(siteId)
  const [over, setOver] = useState(false)
  const [missing, setMissing] = useState(false)
  const isCover = purpose === "coverImage"

  const add = (files: ReadonlyArray<File>) => {
    setMissing(terms === undefined)
    if (terms !== undefined && files.length > 0) uploadQueue.add(files, terms)
  }
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isOver)
  }
  const drop = (event: DragEvent) => {
    drag(false)(event)
    add([...event.dataTransfer.files])
  }

  return (
    <Stack gap="sm">
      <Title order={2}>{texts.title}</Title>
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
        <Select
          label={texts.purpose}
          allowDeselect={false}
          data={purposes.map((value) => ({ value, label: documentTexts.purposes[value] }))}
          value={purpose}
          onChange={(chosen) => isPurpose(chosen) && setPurpose(chosen)}
        />
        {!isCover && (
          <Select
            label={texts.documentType}
            placeholder={texts.noDocumentType}
            clearable
            searchable
            data={documentTypes}
            value={documentType}
            onChange={(chosen) => setDocumentType(isDocumentType(chosen) ? chosen : null)}
          />
        )}
        {purpose === "om-documents" && (
          <TextInput
            label={texts.omRecordId}
            required
            value={omRecordId}
            error={missing && omRecordId.trim() === "" && texts.omRecordMissing}
            onChange={(event) => setOmRecordId(event.currentTarget.value)}
          />
        )}
      </Group>
      <Paper
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={drop}
      >
        <Group gap="xs" justify="center">
          <Text size="sm">{texts.drop}</Text>
          <FileButton multiple accept={isCover ? "image/jpeg,image/png,image/webp" : ""} onChange={add}>
            {(props) => (
              <Button size="xs" leftSection={<IconUpload size={16} aria-hidden />} {...props}>
                {texts.choose}
              </Button>
            )}
          </FileButton>
        </Group>
        <Text size="xs" c="dimmed" ta="center" mt={6}>
          <Limits purpose={purpose} />
        </Text>
      </Paper>
    </Stack>
  )
}
