/**
 * The chosen files with their inputs, a few at a time: a folder can have hundreds.
 */
import { ActionIcon, Pagination, Text } from "@mantine/core"
import { useState } from "react"
import { IconX } from "../shell/icons.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import { formatBytes } from "../texts/formats.ts"
import { DraftFields } from "./DraftFields.tsx"
import { ReplacesField } from "./ReplacesField.tsx"
import { type DraftTerms, isUnknownType, type UploadDraft } from "./UploadDraft.ts"
import classes from "./Uploads.module.css"

const shownAtOnce = 8

interface Props {
  readonly siteId: string
  readonly drafts: ReadonlyArray<UploadDraft>
  readonly faultOf: (draft: UploadDraft) => string | undefined
  readonly onChange: (draft: UploadDraft, changes: Partial<DraftTerms>) => void
  readonly onRemove: (draft: UploadDraft) => void
  /** False while all files share the validity. */
  readonly withDates: boolean
}

const DraftRow = ({ draft, ...props }: Omit<Props, "drafts"> & { readonly draft: UploadDraft }) => {
  const { file, sizeBytes, terms } = draft
  const fault = props.faultOf(draft)
  const change = (changes: Partial<DraftTerms>) => props.onChange(draft, changes)
  const about = [formatBytes(sizeBytes), ...(isUnknownType(draft) ? [texts.unknownType] : [])].join(" · ")
  return (
    <li className={classes.draft} data-faulty={fault === undefined ? undefined : true} data-dates={props.withDates}>
      <div className={classes.draftName}>
        <Text size="sm" fw={500} className={classes.filename}>
          {file.name}
        </Text>
        <Text size="xs" c={fault === undefined ? "dimmed" : "var(--mantine-color-error)"}>
          {fault ?? about}
        </Text>
        <ReplacesField draft={draft} siteId={props.siteId} onChange={change} />
      </div>
      <DraftFields
        filename={file.name}
        siteId={props.siteId}
        terms={terms}
        withDates={props.withDates}
        onChange={change}
      />
      <ActionIcon
        className={classes.draftRemove}
        variant="subtle"
        color="gray"
        aria-label={texts.removeDraft(file.name)}
        onClick={() => props.onRemove(draft)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </li>
  )
}

export const DraftList = ({ drafts, ...props }: Props) => {
  const [chosen, setPage] = useState(1)
  const pages = Math.ceil(drafts.length / shownAtOnce)
  const page = Math.min(chosen, pages)
  return (
    <>
      <ul className={classes.drafts} aria-label={texts.files}>
        {drafts.slice((page - 1) * shownAtOnce, page * shownAtOnce).map((draft) => (
          <DraftRow key={draft.id} draft={draft} {...props} />
        ))}
      </ul>
      {pages > 1 && (
        <Pagination
          size="sm"
          aria-label={texts.pages}
          value={page}
          total={pages}
          onChange={setPage}
          getItemProps={(item) => ({ "aria-label": texts.page(item) })}
          getControlProps={(control) => ({
            "aria-label": control === "previous" ? texts.previousPage : texts.nextPage
          })}
        />
      )}
    </>
  )
}
