/**
 * The metadata of a document.
 */
import { Skeleton } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { usePersonNames } from "../people/usePersonNames.ts"
import { Detail, Details } from "../shell/Details.tsx"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { formatInstant } from "../texts/formats.ts"
import classes from "./Documents.module.css"
import { kindOf, sizeOf, validityOf } from "./documentWords.ts"

const Uploader = ({ uploadedBy }: Pick<Document, "uploadedBy">) => {
  const nameOf = usePersonNames()
  if (uploadedBy === null) return texts.unknown
  return nameOf(uploadedBy) ?? <Skeleton height="1em" width={120} />
}

export const DocumentDetails = ({ document }: { readonly document: Document }) => (
  <Details>
    <Detail name={texts.kind}>{kindOf(document)}</Detail>
    <Detail name={texts.validity}>{validityOf(document) || texts.unknown}</Detail>
    <Detail name={texts.note}>
      <span className={classes.lines}>{document.note ?? texts.unknown}</span>
    </Detail>
    {document.omRecordId !== null && <Detail name={texts.omRecordName}>{document.omRecordId}</Detail>}
    <Detail name={texts.columns.size}>{sizeOf(document) || texts.unknown}</Detail>
    <Detail name={texts.mimeType}>{document.mimeType}</Detail>
    <Detail name={texts.uploadedBy}>
      <Uploader uploadedBy={document.uploadedBy} />
    </Detail>
    <Detail name={texts.columns.createdAt}>{formatInstant(document.createdAt)}</Detail>
  </Details>
)
