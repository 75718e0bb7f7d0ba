/** The documents that sites must have. */
import { expiringDays } from "@solar-sites/core/model"
import { formatNumber } from "../formats.ts"

export const requirementTexts = {
  title: "Document requirements",
  description: "The documents that each site must have. The coverage shows which are missing, expired or expiring.",
  readOnly: "Owners and admins change the requirements.",
  list: "Document requirements",
  columns: {
    documentType: "Document type",
    sites: "Sites",
    validityRequired: "Validity",
    days: "Expiring"
  },
  allSites: "All sites",
  formerPortfolio: "a former portfolio",
  validityRequired: "End date required",
  validityNotRequired: "Not required",
  days: "Days before the end",
  daysBefore: (days: number | string) => (Number(days) === 1 ? "1 day before the end" : `${days} days before the end`),
  rowOf: (row: number) => `Requirement ${formatNumber(row)}`,
  labelOf: (label: string, row: number) => `${label} of requirement ${formatNumber(row)}`,
  edit: (row: number) => `Edit requirement ${formatNumber(row)}`,
  done: "Done",
  removeShort: "Remove",
  remove: (row: number) => `Remove requirement ${formatNumber(row)}`,
  add: "Add a requirement",
  save: "Save",
  discard: "Discard changes",
  saved: "The requirements were saved.",
  failed: "The requirements were not saved",
  none: "No documents are required yet",
  noneHint: "Add the documents that every site, or every site of a portfolio, must have.",
  portfolioFirst: "Where all sites and a portfolio name the same type, the one of the portfolio counts.",
  chooseType: "Choose a type",
  typeMissing: "Choose a document type",
  daysWrong: `Enter a whole number of days from ${expiringDays.minimum} to ${expiringDays.maximum}`,
  duplicate: (row: number) => `Same document type and sites as requirement ${formatNumber(row)}`,
  atMost: (limit: number) => `At most ${formatNumber(limit)} requirements are possible.`,
  conflictTitle: "The requirements were changed meanwhile",
  conflict: "This is the list that was saved meanwhile. Your list is above, and not saved yet.",
  keepMine: "Save my list",
  takeTheirs: "Forget my changes",
  leave: {
    title: "Leave without saving?",
    explanation: "Your changes of the requirements are not saved.",
    submit: "Leave"
  }
}
