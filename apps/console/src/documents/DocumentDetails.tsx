/**
 * The metadata of a document.
 */
import type { Document } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { peopleQuery } from "../people/peopleQueries.ts"
import { Detail, Details } from "../shell/Details.tsx"
import { documentTexts as texts } from "../texts/documents.ts"
import { formatInstant } from "../texts/formats.ts"
import classes from "./Documents.module.css"
import { kindOf, sizeOf, validityOf } from "./documentWords.ts"

/** Names of users; ids of a host have none here. */
const useUploader = ({ uploadedBy }: Document): string => {
  const { data: people = [] } = useQuery(peopleQuery)
  if (uploadedBy === null) return texts.unknown
  return people.find(({ id }) => id === uploadedBy)?.name ?? texts.formerUser
}

export const DocumentDetails = ({ document }: { readonly document: Document }) => {
  const uploader = useUploader(document)
  return (
    <Details>
      <Detail name={texts.kind}>{kindOf(document)}</Detail>
      <Detail name={texts.validity}>{validityOf(document) || texts.unknown}</Detail>
      <Detail name={texts.note}>
        <span className={classes.lines}>{document.note ?? texts.unknown}</span>
      </Detail>
      {document.omRecordId !== null && <Detail name={texts.omRecordName}>{document.omRecordId}</Detail>}
      <Detail name={texts.columns.size}>{sizeOf(document) || texts.unknown}</Detail>
      <Detail name={texts.mimeType}>{document.mimeType}</Detail>
      <Detail name={texts.uploadedBy}>{uploader}</Detail>
      <Detail name={texts.columns.createdAt}>{formatInstant(document.createdAt)}</Detail>
    </Details>
  )
}
