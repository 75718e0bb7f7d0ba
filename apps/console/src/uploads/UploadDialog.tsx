/**
 * Asks for the metadata of chosen files, explains what cannot be sent, and sends the others.
 */
import { Alert, Button, Group, Modal, Paper, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { configurationQuery } from "../api/queries.ts"
import { DialogActions } from "../shell/DialogActions.tsx"
import { DiscardQuestion } from "../shell/useFormGuard.tsx"
import { shellTexts } from "../texts/en/shell.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import { ChooseFiles } from "./ChooseFiles.tsx"
import { DraftFields, type SharedTerms } from "./DraftFields.tsx"
import { DraftList } from "./DraftList.tsx"
import { type DraftTerms, emptyTerms, faultOfDraft, maximumDrafts, type UploadDraft, uploadOf } from "./UploadDraft.ts"
import classes from "./Uploads.module.css"
import type { useDrafts } from "./useDrafts.ts"
import { uploadQueue } from "./useUploads.ts"

interface Props {
  readonly site: { readonly id: string; readonly siteName: string }
  readonly list: ReturnType<typeof useDrafts>
  /** Adds files with the metadata that the dialog was opened for. */
  readonly onFiles: (files: ReadonlyArray<File>) => void
  readonly onClose: () => void
}

const faultsShown = 5

// Before the answer of the server; it checks sizes too.
const noLimits = { maximumFileBytes: Number.POSITIVE_INFINITY, maximumCoverBytes: Number.POSITIVE_INFINITY }

const sharedBy = (drafts: ReadonlyArray<UploadDraft>): SharedTerms => {
  const first = drafts[0]?.terms ?? emptyTerms
  const shared = <Name extends keyof DraftTerms>(name: Name) =>
    drafts.every(({ terms }) => terms[name] === first[name]) ? first[name] : undefined
  return {
    purpose: shared("purpose"),
    documentType: shared("documentType"),
    omRecordId: shared("omRecordId"),
    validFrom: shared("validFrom"),
    validUntil: shared("validUntil"),
    replaces: shared("replaces")
  }
}

const isShared = (drafts: ReadonlyArray<UploadDraft>): boolean => {
  const { validFrom, validUntil } = sharedBy(drafts)
  return validFrom !== undefined && validUntil !== undefined
}

interface FaultsProps {
  readonly faulty: ReadonlyArray<readonly [UploadDraft, string]>
}

const Faults = ({ faulty }: FaultsProps) => (
  <Alert color="orange" role="status" title={texts.faultsTitle(faulty.length)} p="sm">
    {faulty.slice(0, faultsShown).map(([{ file, id }, fault]) => (
      <Text key={id} size="sm" className={classes.filename}>
        {texts.fault(file.name, fault)}
      </Text>
    ))}
    {faulty.length > faultsShown && <Text size="sm">{texts.moreFaults(faulty.length - faultsShown)}</Text>}
  </Alert>
)

export const UploadDialog = ({ list, onClose, onFiles, site }: Props) => {
  const { data } = useQuery(configurationQuery)
  const limits = data?.uploads ?? noLimits
  const { drafts } = list
  const faultOf = (draft: UploadDraft) => faultOfDraft(draft, limits)
  const faulty = drafts.flatMap((draft) => {
    const fault = faultOf(draft)
    return fault === undefined ? [] : [[draft, fault] as const]
  })
  const sendable = drafts.filter((draft) => faultOf(draft) === undefined)
  // Chosen files are input that is in no field.
  const [asking, setAsking] = useState(false)
  // Files of one upload mostly share their validity.
  const [datesPerFile, setDatesPerFile] = useState(false)
  const hasDates = drafts.length === 1 || datesPerFile || !isShared(drafts)
  const send = () => {
    uploadQueue.add(sendable.map((draft) => uploadOf(draft, site.id)))
    onClose()
  }
  return (
    <Modal
      opened
      onClose={() => (drafts.length > 0 ? setAsking(true) : onClose())}
      closeOnEscape={!asking}
      size={960}
      title={texts.dialog(site.siteName)}
      closeOnClickOutside={false}
    >
      {drafts.length === 0 ? (
        <Paper className={classes.drop}>
          <Group gap="xs" justify="center">
            <Text size="sm">{texts.drop}</Text>
            <ChooseFiles size="xs" isFirst onFiles={onFiles} />
          </Group>
          {data !== undefined && (
            <Text size="xs" c="dimmed" ta="center" mt="xs">
              {texts.limits(limits)}
            </Text>
          )}
        </Paper>
      ) : (
        <Stack gap="sm">
          {drafts.length > 1 && (
            <fieldset className={classes.all}>
              <legend>{texts.allFiles}</legend>
              <DraftFields
                siteId={site.id}
                terms={sharedBy(drafts)}
                onChange={(changes) => list.change(() => true, changes)}
              />
            </fieldset>
          )}
          {!hasDates && (
            <Button
              variant="subtle"
              size="compact-xs"
              style={{ alignSelf: "end" }}
              onClick={() => setDatesPerFile(true)}
            >
              {texts.datesPerFile}
            </Button>
          )}
          {list.tooMany && <Alert color="orange">{texts.tooMany(maximumDrafts)}</Alert>}
          {faulty.length > 0 && drafts.length > 1 && <Faults faulty={faulty} />}
          <DraftList
            siteId={site.id}
            drafts={drafts}
            withDates={hasDates}
            faultOf={faultOf}
            onChange={({ id }, changes) => list.change((other) => other.id === id, changes)}
            onRemove={({ id }) => list.remove(id)}
          />
          <DialogActions justify="space-between">
            <ChooseFiles size="sm" isFirst={false} onFiles={onFiles} />
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                {shellTexts.cancel}
              </Button>
              <Button disabled={sendable.length === 0} onClick={send}>
                {texts.send(sendable.length)}
              </Button>
            </Group>
          </DialogActions>
        </Stack>
      )}
      {asking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </Modal>
  )
}
