/**
 * The chosen files of the upload dialog.
 */
import { useState } from "react"
import { maximumFiles } from "./droppedFiles.ts"
import { type DraftTerms, emptyTerms, type UploadDraft } from "./UploadDraft.ts"

let nextId = 1

export const useDrafts = () => {
  const [drafts, setDrafts] = useState<ReadonlyArray<UploadDraft>>([])
  const [leftOut, setLeftOut] = useState(0)

  return {
    drafts,
    /** Number of files above the limit of one drop. */
    leftOut,
    add: (files: ReadonlyArray<File>, presetOf: (index: number) => Partial<DraftTerms>) => {
      const room = maximumFiles - drafts.length
      const draftOf = (file: File, index: number) => ({
        id: nextId++,
        file,
        terms: { ...emptyTerms, ...presetOf(index) }
      })
      setLeftOut(Math.max(0, files.length - room))
      setDrafts([...drafts, ...files.slice(0, room).map(draftOf)])
    },
    change: (isChanged: (draft: UploadDraft) => boolean, changes: Partial<DraftTerms>) =>
      setDrafts(
        drafts.map((draft) => (isChanged(draft) ? { ...draft, terms: { ...draft.terms, ...changes } } : draft))
      ),
    remove: (id: number) => setDrafts(drafts.filter((draft) => draft.id !== id)),
    clear: () => {
      setDrafts([])
      setLeftOut(0)
    }
  }
}
