/**
 * Filters and order of the lists of documents, as they stand in the address and as query of the
 * API.
 */
import type { Document, ListDocuments } from "@solar-sites/http-node/client"
import { isDocumentType } from "../documents/Purpose.ts"
import { isUuid } from "../lists/isUuid.ts"
import type { FilterCodec } from "../lists/useListAddress.ts"
import { documentTexts } from "../texts/en/documents.ts"

/** Documents to review, current ones that expire, or all. */
export const documentViews = ["review", "expiring", "all"] as const
export type DocumentView = (typeof documentViews)[number]

const sorts = ["createdAt", "updatedAt", "filename", "validUntil"] as const
export type DocumentSort = (typeof sorts)[number]

type State = Document["status"] | "current"

export const dayChoices = [7, 30, 90, 365] as const
type Days = (typeof dayChoices)[number]

export interface DocumentFilters {
  readonly search: string
  readonly documentType: Document["documentType"]
  /** An id, or `all`. */
  readonly portfolio: string
  /** In the view of all documents only. */
  readonly state: State | null
  /** From today, in the view of expiring documents only. Expired ones are included. */
  readonly days: Days
  readonly sort: DocumentSort
  readonly descending: boolean
}

export const isState = (text: string | null): text is State =>
  text === "current" || (text !== null && Object.hasOwn(documentTexts.states, text))

/** Oldest first to review, soonest to expire first, else newest first. */
const usualOrder: Record<DocumentView, Pick<DocumentFilters, "sort" | "descending">> = {
  review: { sort: "createdAt", descending: false },
  expiring: { sort: "validUntil", descending: false },
  all: { sort: "createdAt", descending: true }
}

const usualDays = 30

export const documentFilters = (view: DocumentView): FilterCodec<DocumentFilters> => {
  const usual = usualOrder[view]
  return {
    read: (parameters) => {
      const documentType = parameters.get("type")
      const portfolio = parameters.get("portfolio") ?? ""
      const state = parameters.get("state")
      const order = parameters.get("order")
      return {
        search: parameters.get("search") ?? "",
        documentType: isDocumentType(documentType) ? documentType : null,
        portfolio: isUuid(portfolio) ? portfolio : "all",
        state: isState(state) ? state : null,
        days: dayChoices.find((days) => String(days) === parameters.get("days")) ?? usualDays,
        sort: sorts.find((sort) => sort === parameters.get("sort")) ?? usual.sort,
        descending: order === null ? usual.descending : order === "desc"
      }
    },
    written: ({ days, descending, documentType, portfolio, search, sort, state }) => ({
      ...(search === "" ? {} : { search }),
      ...(documentType === null ? {} : { type: documentType }),
      ...(portfolio === "all" ? {} : { portfolio }),
      ...(state === null ? {} : { state }),
      ...(days === usualDays ? {} : { days: String(days) }),
      ...(sort === usual.sort ? {} : { sort }),
      ...(descending === usual.descending ? {} : { order: descending ? "desc" : "asc" })
    })
  }
}

export const isFiltered = ({ documentType, portfolio, search, state }: DocumentFilters): boolean =>
  search.trim() !== "" || documentType !== null || portfolio !== "all" || state !== null

const dayMillis = 86_400_000

const conditionsOf = (view: DocumentView, { days, state }: DocumentFilters): ListDocuments => {
  if (view === "review") return { status: "uploaded" }
  if (view === "expiring") {
    // The API excludes the day itself.
    const before = new Date(Date.now() + (days + 1) * dayMillis)
    return { current: true, validUntilBefore: before.toISOString().slice(0, 10) }
  }
  return state === "current" ? { current: true } : state === null ? {} : { status: state }
}

/** Without the page. */
export const queryOf = (view: DocumentView, filters: DocumentFilters): ListDocuments => {
  const { descending, documentType, portfolio, search, sort } = filters
  const q = search.trim()
  return {
    ...conditionsOf(view, filters),
    ...(q === "" ? {} : { q }),
    ...(documentType === null ? {} : { documentType }),
    ...(portfolio === "all" ? {} : { portfolioId: portfolio }),
    sort,
    order: descending ? "desc" : "asc"
  }
}
