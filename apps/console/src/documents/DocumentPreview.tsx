/**
 * Shows an image or a PDF. Other types are never shown, since a browser may run scripts of them.
 */

import { Loader, Text } from "@mantine/core"
import { hasFile } from "@solar-sites/core/model"
import type { Document } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { documentTexts as texts } from "../texts/en/documents.ts"
import classes from "./Documents.module.css"
import { addressQuery } from "./documentQueries.ts"
import { maximumPdfBytes, readPdf } from "./readPdf.ts"

interface Props {
  readonly document: Document
}

const images: ReadonlyArray<string> = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"]

const Notice = ({ text }: { readonly text: string }) => (
  <Text size="sm" c="dimmed" className={classes.notice} role="status">
    {text}
  </Text>
)

const Waiting = () => (
  <div className={classes.notice}>
    <Loader size="sm" aria-label={texts.previewLoading} />
  </div>
)

const Image = ({ document, url }: Props & { readonly url: string }) => {
  const [broken, setBroken] = useState(false)
  if (broken) return <Notice text={texts.previewBroken} />
  return (
    <img
      className={classes.image}
      src={url}
      referrerPolicy="no-referrer"
      alt={texts.previewOf(document.filename)}
      onError={() => setBroken(true)}
    />
  )
}

const Pdf = ({ document, url }: Props & { readonly url: string }) => {
  const { data: pdf, error } = useQuery({
    queryKey: ["pdf", document.id],
    queryFn: ({ signal }) => readPdf(url, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Files are large, and read again when they are shown again.
    gcTime: 0,
    retry: false
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!pdf) return
    const made = URL.createObjectURL(pdf)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [pdf])
  if (error !== null) return <Notice text={texts.previewUnread} />
  if (pdf === null) return <Notice text={texts.previewNoPdf} />
  if (address === undefined) return <Waiting />
  // Without the list of small pages, for which there is little room.
  return <iframe className={classes.pdf} src={`${address}#navpanes=0`} title={texts.previewOf(document.filename)} />
}

/** The reason for which a document has no preview. */
const withoutPreview = (document: Document): string | undefined => {
  const { mimeType, sizeBytes } = document
  if (!hasFile(document)) return texts.previewNoFile
  if (images.includes(mimeType)) return undefined
  if (mimeType !== "application/pdf") return texts.previewNoType
  if ((sizeBytes ?? 0) > maximumPdfBytes) return texts.previewTooLarge(maximumPdfBytes)
  return navigator.pdfViewerEnabled ? undefined : texts.previewNoViewer
}

export const DocumentPreview = ({ document }: Props) => {
  const reason = withoutPreview(document)
  const { data: url, error } = useQuery({ ...addressQuery(document.id), enabled: reason === undefined })
  if (reason !== undefined) return <Notice text={reason} />
  if (url === undefined) return error === null ? <Waiting /> : <Notice text={texts.previewUnread} />
  return document.mimeType === "application/pdf" ? (
    <Pdf key={document.id} document={document} url={url} />
  ) : (
    <Image key={document.id} document={document} url={url} />
  )
}
