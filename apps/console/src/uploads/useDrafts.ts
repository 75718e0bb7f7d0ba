/**
 * The chosen files of the upload dialog.
 */
import { useState } from "react"
import { withSizes } from "./droppedFiles.ts"
import { type DraftTerms, emptyTerms, maximumDrafts, type UploadDraft } from "./UploadDraft.ts"

interface Chosen {
  readonly drafts: ReadonlyArray<UploadDraft>
  /** True after more files were added than the dialog takes. */
  readonly tooMany: boolean
}

const none: Chosen = { drafts: [], tooMany: false }

let nextId = 1

export const useDrafts = () => {
  const [{ drafts, tooMany }, set] = useState(none)
  const update = (change: (drafts: ReadonlyArray<UploadDraft>) => ReadonlyArray<UploadDraft>) =>
    set((chosen) => ({ ...chosen, drafts: change(chosen.drafts) }))

  return {
    drafts,
    tooMany,
    /** One document has one successor: the first file without one in the list replaces it. */
    add: async (files: ReadonlyArray<File>, { replaces = null, ...terms }: Partial<DraftTerms>) => {
      const sized = await withSizes(files.slice(0, maximumDrafts))
      const added = sized.map((file) => ({ ...file, id: nextId++, terms: { ...emptyTerms, ...terms } }))
      set(({ drafts, tooMany }) => {
        const isReplaced = drafts.some((draft) => draft.terms.replaces !== null)
        const all = added.map((draft, index) =>
          index === 0 && !isReplaced ? { ...draft, terms: { ...draft.terms, replaces } } : draft
        )
        return {
          drafts: [...drafts, ...all].slice(0, maximumDrafts),
          tooMany: tooMany || drafts.length + files.length > maximumDrafts
        }
      })
    },
    change: (isChanged: (draft: UploadDraft) => boolean, changes: Partial<DraftTerms>) =>
      update((drafts) =>
        drafts.map((draft) => (isChanged(draft) ? { ...draft, terms: { ...draft.terms, ...changes } } : draft))
      ),
    remove: (id: number) => update((drafts) => drafts.filter((draft) => draft.id !== id)),
    clear: () => set(none)
  }
}
