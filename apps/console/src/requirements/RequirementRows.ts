/**
 * The requirements as rows of a form, and their faults.
 */
import { expiringDays } from "@solar-sites/core/model"
import type { DocumentRequirements } from "@solar-sites/http-node/client"
import { documentTexts } from "../texts/en/documents.ts"
import { requirementTexts as texts } from "../texts/en/requirements.ts"
import { readNumber } from "../texts/numbers.ts"

type Requirement = DocumentRequirements["requirements"][number]
type DocumentType = Requirement["documentType"]

export interface RequirementRow {
  /** Key of the row in this form. */
  readonly key: string
  readonly documentType: DocumentType | null
  readonly portfolioId: string | null
  readonly validityRequired: boolean
  /** Days. */
  readonly expiringWithin: string
}

export const isDocumentType = (text: string | null): text is DocumentType =>
  text !== null && Object.hasOwn(documentTexts.documentTypes, text)

export const emptyRow = (): RequirementRow => ({
  key: crypto.randomUUID(),
  documentType: null,
  portfolioId: null,
  validityRequired: false,
  expiringWithin: String(expiringDays.default)
})

export const rowsOf = ({ requirements }: DocumentRequirements): ReadonlyArray<RequirementRow> =>
  requirements.map(({ documentType, expiringWithinDays, portfolioId, validityRequired }) => ({
    key: crypto.randomUUID(),
    documentType,
    portfolioId,
    validityRequired,
    expiringWithin: String(expiringWithinDays)
  }))

/** Without rows that have no document type. */
export const requirementsOf = (rows: ReadonlyArray<RequirementRow>): ReadonlyArray<Requirement> =>
  rows.flatMap(({ documentType, expiringWithin, portfolioId, validityRequired }) =>
    documentType === null
      ? []
      : [{ documentType, validityRequired, portfolioId, expiringWithinDays: readNumber(expiringWithin) }]
  )

const isSame = (a: RequirementRow, b: RequirementRow): boolean =>
  a.documentType !== null && a.documentType === b.documentType && a.portfolioId === b.portfolioId

const areDays = (text: string): boolean => {
  const days = readNumber(text)
  return Number.isInteger(days) && days >= expiringDays.minimum && days <= expiringDays.maximum
}

/** Faults by field of the row at the index. */
export interface RowFaults {
  readonly documentType?: string
  readonly expiringWithin?: string
}

export const faultsOf = (rows: ReadonlyArray<RequirementRow>, index: number): RowFaults => {
  const row = rows[index]
  if (row === undefined) return {}
  const first = rows.findIndex((other) => isSame(other, row))
  return {
    ...(row.documentType === null ? { documentType: texts.typeMissing } : {}),
    ...(first !== -1 && first < index ? { documentType: texts.duplicate(first + 1) } : {}),
    ...(areDays(row.expiringWithin) ? {} : { expiringWithin: texts.daysWrong })
  }
}
