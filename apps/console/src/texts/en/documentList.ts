/** Documents of all sites. */
import { formatNumber } from "../formats.ts"

const documentsOf = (count: number): string => (count === 1 ? "1 document" : `${formatNumber(count)} documents`)
const daysOf = (count: number): string => (count === 1 ? "1 day" : `${formatNumber(count)} days`)

const expiry = (days: number): string => {
  if (days < 0) return `expired ${daysOf(-days)} ago`
  return days === 0 ? "expires today" : `expires in ${daysOf(days)}`
}

const beside = (others: number): string => {
  if (others === 0) return ""
  return others === 1 ? ", after 1 other decision" : `, after ${formatNumber(others)} other decisions`
}

export const documentListTexts = {
  title: "Documents",
  tabs: "Views of the documents",
  views: { review: "To review", expiring: "Expiring", all: "All" },
  columns: { site: "Site", validUntil: "Valid until" },
  count: documentsOf,
  countOfPage: (count: number) => `${documentsOf(count)} on this page`,
  stateFilter: "State",
  typeFilter: "Kind",
  daysFilter: "Expires within",
  within: (count: number) => `Within ${daysOf(count)}`,
  expiry,
  none: {
    review: "Nothing to review",
    expiring: "Nothing expires in this time",
    all: "There are no documents yet"
  },
  noneHint: {
    review: "Documents appear here when their files have arrived.",
    expiring: "Current documents with a last day of validity appear here, expired ones included.",
    all: "Upload files, and choose their site."
  },
  pageDone: "Every document of this page is decided on",
  nextDocuments: "Next documents",
  noneFound: "No document fits this",
  noneFoundHint: "Search for less, or clear the filters.",
  showAll: "Clear filters",
  keys: "Keys: J and K move, Enter opens, A approves, R rejects, X selects, Z undoes a decision.",
  keysToMove: "Keys: J and K move, Enter opens.",
  select: (name: string) => `Select ${name}`,
  selectPage: "Select all documents of this page",
  approve: "Approve …",
  approveTitle: (count: number) => `Approve ${documentsOf(count)}?`,
  approveHint: "Documents that were changed since you selected them are not approved.",
  approveAction: (count: number) => `Approve ${documentsOf(count)}`,
  approved: (count: number) => `${documentsOf(count)} approved.`,
  /** `others` are decisions before this one that can be undone, too. */
  decided: {
    approved: (name: string, others: number) => `${name} is approved${beside(others)}.`,
    failed: (name: string, others: number) => `${name} is rejected${beside(others)}.`
  },
  undo: "Undo",
  undoOf: {
    approved: (name: string) => `Undo the approval of ${name}`,
    failed: (name: string) => `Undo the rejection of ${name}`
  },
  notDecided: {
    approved: (name: string) => `${name} was not approved`,
    failed: (name: string) => `${name} was not rejected`
  },
  reject: "Reject …",
  rejectTitle: (count: number) => `Reject ${documentsOf(count)}?`,
  rejectHint: "The senders of the files read this.",
  rejectAction: (count: number) => `Reject ${documentsOf(count)}`,
  rejected: (count: number) => `${documentsOf(count)} rejected.`
}
