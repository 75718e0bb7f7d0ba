/**
 * Keys of a list of documents: J and K (or the arrows, in the list) move between documents, A
 * approves, R rejects, X selects, Z undoes the last approval. Enter opens, as the names are buttons. Keys act on the focused
 * row, or on the document that is open beside the list.
 */
import { useWindowEvent } from "@mantine/hooks"
import type { Document } from "@solar-sites/http-node/client"
import { type RefObject, useRef } from "react"
import type { ListPlace } from "../documents/PlaceInList.tsx"
import { isPageKey } from "../shell/isPageKey.ts"

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
  const place = (): number => documents.findIndex(({ id }) => id === (opened ?? focused()))
  const goTo = (index: number): void => {
    const document = documents[index]
    if (document === undefined) return
    if (opened === null) rowOf(document.id)?.focus()
    else onOpen(document.id)
  }
  const move = (step: number): void => {
    const from = place()
    goTo(from === -1 ? 0 : from + step)
  }
  /** The document leaves the list: the next one follows, at the end the one before. */
  const leave = ({ id }: Pick<Document, "id">): void => {
    const index = documents.findIndex((document) => document.id === id)
    if (index + 1 < documents.length) goTo(index + 1)
    else if (opened === null) goTo(index - 1)
    else onClose()
  }
  useWindowEvent("keydown", (event) => {
    if (!isPageKey(event, opened === null ? 0 : 1)) return
    const key = event.key.toLowerCase()
    const isArrow = (key === "arrowdown" || key === "arrowup") && opened === null && place() !== -1
    if (key === "j" || key === "k" || isArrow) {
      event.preventDefault()
      move(key === "j" || key === "arrowdown" ? 1 : -1)
      return
    }
    if (key === "z" && deciding !== undefined && !event.repeat) {
      const undone = deciding.undo()
      if (undone === undefined) return
      event.preventDefault()
      if (opened !== null) onOpen(undone)
      // Its row is rendered again.
      else requestAnimationFrame(() => rowOf(undone)?.focus())
      return
    }
    const document = documents[place()]
    if (document === undefined || deciding === undefined || event.repeat || !deciding.isShown(document)) return
    if (key === "a" && document.status === "uploaded") {
      deciding.approve(document)
      leave(document)
    } else if (key === "r" && document.status === "uploaded") deciding.reject(document)
    else if (key === "x" && opened === null) deciding.select(document)
    else return
    event.preventDefault()
  })
  const openedAt = documents.findIndex(({ id }) => id === opened)
  return {
    rows: list,
    leave,
    place: openedAt === -1 ? undefined : { position: openedAt + 1, count: documents.length, move }
  }
}
