/**
 * What the keys of a list of documents do: J and K (or the arrows, in the list) move between documents, A
 * approves, R rejects, X selects, Z undoes the last approval. Enter opens, as the names are buttons.
 */
import type { Document } from "@solar-sites/http-node/client"

type Listed = Pick<Document, "id" | "status">

export interface ListedPlace<Item extends Listed> {
  readonly documents: ReadonlyArray<Item>
  /** Index of the focused document, or of the one beside the list; -1 for none. */
  readonly at: number
  /** True when the document is open beside the list. */
  readonly isBeside: boolean
}

type ReviewAction<Item> =
  | { readonly act: "go"; readonly index: number }
  | { readonly act: "undo" }
  | { readonly act: "approve" | "reject" | "select"; readonly document: Item }

const steps: ReadonlyMap<string, number> = new Map([
  ["j", 1],
  ["k", -1],
  ["arrowdown", 1],
  ["arrowup", -1]
])

/** The first document when there is none. The index can be outside of the list. */
export const indexAfter = ({ at }: Pick<ListedPlace<Listed>, "at">, step: number): number => (at === -1 ? 0 : at + step)

/** Undefined for keys that the page leaves alone. A key that is held down only moves. */
export const reviewAction = <Item extends Listed>(
  { key: pressed, repeat }: Pick<KeyboardEvent, "key" | "repeat">,
  place: ListedPlace<Item>
): ReviewAction<Item> | undefined => {
  const key = pressed.toLowerCase()
  const step = steps.get(key)
  // Arrows scroll the page until a document has the focus.
  if (step !== undefined && key.startsWith("arrow") && (place.isBeside || place.at === -1)) return
  if (step !== undefined) return { act: "go", index: indexAfter(place, step) }
  if (repeat) return
  if (key === "z") return { act: "undo" }
  const document = place.documents[place.at]
  if (document === undefined) return
  if (key === "a" && document.status === "uploaded") return { act: "approve", document }
  if (key === "r" && document.status === "uploaded") return { act: "reject", document }
  if (key === "x" && !place.isBeside) return { act: "select", document }
}

/** Index of the document to show when this one leaves the list: the next one, at the end the one before. */
export const indexOnLeave = ({ at, documents, isBeside }: ListedPlace<Listed>): number | "close" => {
  if (at + 1 < documents.length) return at + 1
  return isBeside ? "close" : at - 1
}
