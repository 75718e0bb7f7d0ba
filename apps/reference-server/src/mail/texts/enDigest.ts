/** Texts of the digest and of the page that ends it, in English. */
import type { DocumentType } from "@solar-sites/core"

/** One per language. */
export interface DigestTexts {
  /** Notation of dates. */
  readonly locale: string
  readonly documentTypes: Readonly<Record<DocumentType, string>>
  /** Without a type. */
  readonly document: string
  readonly states: {
    readonly expired: (date: string) => string
    readonly expiring: (date: string) => string
    readonly missing: string
  }
  readonly withoutPortfolio: string
  readonly subject: (documents: number) => string
  readonly intro: (documents: number) => string
  readonly more: (documents: number) => string
  readonly reason: { readonly daily: string; readonly weekly: string }
  readonly change: string
  readonly end: string
  readonly question: string
  /** Before and after the link to My account. */
  readonly ended: readonly [before: string, after: string]
  readonly invalid: readonly [before: string, after: string]
  readonly account: string
}

const documentTypes: DigestTexts["documentTypes"] = {
  ppa: "PPA",
  mcs_certificate: "MCS certificate",
  string_layout: "String layout",
  om_ticket: "O&M ticket",
  invoice: "Invoice",
  equipment_register: "Equipment register",
  warranty_information: "Warranty information",
  handover_document: "Handover document",
  ppm: "PPM",
  epc: "EPC",
  finance_agreements: "Finance agreements",
  insurance: "Insurance",
  land_lease: "Land lease",
  om_contract: "O&M contract",
  spare_parts: "Spare parts",
  other: "Other"
}

const documentsNeed = (count: number): string => (count === 1 ? "1 document needs" : `${count} documents need`)

export const englishDigest: DigestTexts = {
  locale: "en-GB",
  documentTypes,
  document: "Document",
  states: {
    expired: (date) => `Expired on ${date}`,
    expiring: (date) => `Expires on ${date}`,
    missing: "Missing"
  },
  withoutPortfolio: "Without a portfolio",
  subject: (count) => `${documentsNeed(count)} attention on Solar Sites`,
  intro: (count) => `${documentsNeed(count)} attention today.`,
  more: (count) => `and ${count} more`,
  reason: {
    daily: "You receive this mail every day on which there is something to do.",
    weekly: "You receive this mail every Monday on which there is something to do."
  },
  change: "Change how often in My account",
  end: "Stop these mails",
  question: "Stop the mails about documents that expire or are missing?",
  ended: ["You get no more of these mails. You can choose them again in ", "."],
  invalid: ["This link is not valid. Choose how often you get these mails in ", "."],
  account: "My account"
}
