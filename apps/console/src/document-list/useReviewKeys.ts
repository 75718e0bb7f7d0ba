/**
 * The keys of a list of documents, on the focused row or on the document that is open beside the list.
 */
import { useWindowEvent } from "@mantine/hooks"
import type { Document } from "@solar-sites/http-node/client"
import { type RefObject, useRef } from "react"
import type { ListPlace } from "../documents/PlaceInList.tsx"
import { isPageKey } from "../shell/isPageKey.ts"
import { indexAfter, indexOnLeave, type ListedPlace, reviewAction } from "./reviewKey.ts"

interface Options {
  readonly documents: ReadonlyArray<Document>
  /** Id of the document beside the list. */
  readonly opened: string | null
  readonly onOpen: (documentId: string) => void
  readonly onClose: () => void
  /** Absent for users that may not decide. */
  readonly deciding?:
    | {
        /** False while the document beside the list is not shown yet. */
        readonly isShown: (document: Document) => boolean
        readonly approve: (document: Document) => void
        readonly reject: (document: Document) => void
        readonly select: (document: Document) => void
        /** Returns the id of the document that is to be reviewed again. */
        readonly undo: () => string | undefined
      }
    | undefined
}

export interface ReviewKeys {
  /** The element that contains the rows, which have elements with `data-document`. */
  readonly rows: RefObject<HTMLDivElement | null>
  /** Goes on to the next document when this one leaves the list. */
  readonly leave: (document: Document) => void
  /** Place of the opened document; undefined when no row of this page has it. */
  readonly place: ListPlace | undefined
}

export const useReviewKeys = (options: Options): ReviewKeys => {
  const { deciding, documents, onClose, onOpen, opened } = options
  const list = useRef<HTMLDivElement>(null)
  const rowOf = (id: string) => list.current?.querySelector<HTMLElement>(`[data-document="${CSS.escape(id)}"]`)
  // By id: rows of the page can be newer than these documents.
  const focused = (): string | undefined =>
    window.document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-document]")?.dataset["document"]
  const indexOf = (documentId: string | undefined): number => documents.findIndex(({ id }) => id === documentId)
  const placeAt = (at: number): ListedPlace<Document> => ({ documents, at, isBeside: opened !== null })
  const here = () => placeAt(indexOf(opened ?? focused()))
  const goTo = (index: number): void => {
    const document = documents[index]
    if (document === undefined) return
    if (opened === null) rowOf(document.id)?.focus()
    else onOpen(document.id)
  }
  const move = (step: number): void => goTo(indexAfter(here(), step))
  const leave = ({ id }: Pick<Document, "id">): void => {
    const index = indexOnLeave(placeAt(indexOf(id)))
    if (index === "close") onClose()
    else goTo(index)
  }
  useWindowEvent("keydown", (event) => {
    if (!isPageKey(event, opened === null ? 0 : 1)) return
    const action = reviewAction(event, here())
    if (action === undefined) return
    if (action.act === "go") goTo(action.index)
    else if (deciding === undefined) return
    else if (action.act === "undo") {
      const undone = deciding.undo()
      if (undone === undefined) return
      if (opened !== null) onOpen(undone)
      // Its row is rendered again.
      else requestAnimationFrame(() => rowOf(undone)?.focus())
    } else {
      const { act, document } = action
      if (!deciding.isShown(document)) return
      deciding[act](document)
      if (act === "approve") leave(document)
    }
    event.preventDefault()
  })
  const openedAt = indexOf(opened ?? undefined)
  return {
    rows: list,
    leave,
    place: openedAt === -1 ? undefined : { position: openedAt + 1, count: documents.length, move }
  }
}
