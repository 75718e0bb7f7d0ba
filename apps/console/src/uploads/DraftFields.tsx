/**
 * Inputs for the metadata of one file, or of all files. Native inputs: ten files have fifty of them.
 */
import { NativeSelect, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { isCovered, siteCoverageQuery } from "../coverage/coverageQueries.ts"
import { isDocumentType, isPurpose, purposes } from "../documents/Purpose.ts"
import { DateInput } from "../shell/DateInput.tsx"
import { documentTexts } from "../texts/en/documents.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import type { DraftTerms } from "./UploadDraft.ts"

/** Undefined members differ between the files. */
export type SharedTerms = { readonly [Name in keyof DraftTerms]: DraftTerms[Name] | undefined }

interface Props {
  readonly siteId: string
  readonly terms: SharedTerms
  readonly onChange: (changes: Partial<DraftTerms>) => void
  /** Name of the file, for labels that only assistive technology reads; without it they are shown. */
  readonly filename?: string
  /** False while all files share the validity. */
  readonly withDates?: boolean
}

const optionOf = (value: string, label: string) => ({ value, label })

const different = { value: "different", label: texts.different, disabled: true }

/** Kinds that the site lacks come first. */
const useDocumentTypes = (siteId: string) => {
  const { data: items = [] } = useQuery(siteCoverageQuery(siteId))
  const { documentTypes } = documentTexts
  const needed = items.filter((item) => !isCovered(item)).map(({ documentType }) => documentType)
  const others = Object.entries(documentTypes).filter(([value]) => !needed.some((type) => type === value))
  const all = others.map(([value, label]) => optionOf(value, label))
  if (needed.length === 0) return all
  return [
    { group: texts.neededTypes, items: needed.map((value) => optionOf(value, documentTypes[value])) },
    { group: texts.otherTypes, items: all }
  ]
}

export const DraftFields = ({ filename, onChange, siteId, terms, withDates = true }: Props) => {
  const documentTypes = useDocumentTypes(siteId)
  const labelled = (label: string) => (filename === undefined ? { label } : { "aria-label": texts.of(label, filename) })
  const { documentType, omRecordId, purpose, validFrom, validUntil } = terms
  const isCover = purpose === "coverImage"
  return (
    <>
      <NativeSelect
        {...labelled(texts.purpose)}
        size="xs"
        data={[
          ...(purpose === undefined ? [different] : []),
          ...purposes.map((value) => optionOf(value, documentTexts.purposes[value]))
        ]}
        value={purpose ?? different.value}
        onChange={({ currentTarget: { value } }) => isPurpose(value) && onChange({ purpose: value })}
      />
      <NativeSelect
        {...labelled(texts.documentType)}
        size="xs"
        disabled={isCover}
        data={[
          ...(documentType === undefined ? [different] : []),
          optionOf("", texts.noDocumentType),
          ...documentTypes
        ]}
        value={isCover ? "" : documentType === undefined ? different.value : (documentType ?? "")}
        onChange={({ currentTarget: { value } }) => onChange({ documentType: isDocumentType(value) ? value : null })}
      />
      {withDates && (
        <>
          <DateInput
            {...labelled(texts.validFrom)}
            size="xs"
            value={validFrom ?? ""}
            onChange={({ currentTarget }) => onChange({ validFrom: currentTarget.value })}
          />
          <DateInput
            {...labelled(texts.validUntil)}
            size="xs"
            value={validUntil ?? ""}
            onChange={({ currentTarget }) => onChange({ validUntil: currentTarget.value })}
          />
        </>
      )}
      {purpose === "om-documents" && (
        <TextInput
          {...labelled(texts.omRecordId)}
          size="xs"
          required
          placeholder={texts.omRecordId}
          value={omRecordId ?? ""}
          onChange={({ currentTarget }) => onChange({ omRecordId: currentTarget.value })}
        />
      )}
    </>
  )
}
