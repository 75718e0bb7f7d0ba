/**
 * Uploads to one site: files dropped on its page, and a dialog that the address opens:
 * `?upload` (for a kind of document: `?upload=insurance`), or `?revise=ID` for a new revision.
 */
import { useQuery } from "@tanstack/react-query"
import { useSearchParams } from "react-router"
import { documentQuery } from "../documents/documentQueries.ts"
import { isDocumentType, isPurpose } from "../documents/Purpose.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import { DropTarget } from "./DropTarget.tsx"
import { UploadDialog } from "./UploadDialog.tsx"
import type { DraftTerms } from "./UploadDraft.ts"
import { useDrafts } from "./useDrafts.ts"

const upload = "upload"
const revise = "revise"

/** Metadata of the document that is to be replaced. */
const usePredecessor = (id: string | null): Partial<DraftTerms> => {
  const { data } = useQuery({ ...documentQuery(id ?? ""), enabled: id !== null })
  if (data === undefined) return {}
  return { replaces: data, documentType: data.documentType, omRecordId: data.omRecordId ?? "", ...purposeOf(data.type) }
}

const purposeOf = (type: string): Partial<DraftTerms> => (isPurpose(type) ? { purpose: type } : {})

const typeOf = (text: string | null): Partial<DraftTerms> => (isDocumentType(text) ? { documentType: text } : {})

interface Props {
  readonly site: { readonly id: string; readonly siteName: string }
}

export const SiteUploads = ({ site }: Props) => {
  const list = useDrafts()
  const [parameters, setParameters] = useSearchParams()
  const predecessor = usePredecessor(parameters.get(revise))
  const preset = { ...typeOf(parameters.get(upload)), ...predecessor }
  const asked = parameters.has(upload) || parameters.has(revise)

  const add = (files: ReadonlyArray<File>) => void list.add(files, preset)
  const close = () => {
    list.clear()
    setParameters(
      (current) => {
        current.delete(upload)
        current.delete(revise)
        return current
      },
      { replace: true, preventScrollReset: true }
    )
  }

  return (
    <>
      <DropTarget label={texts.dropOn(site.siteName)} onFiles={add} />
      {(asked || list.drafts.length > 0) && <UploadDialog site={site} list={list} onFiles={add} onClose={close} />}
    </>
  )
}
