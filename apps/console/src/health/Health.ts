/**
 * Health of sites, portfolios and documents: the one sign that tells what needs work. The API
 * computes the states of required documents; the rules here pick the most urgent one.
 */
import { hasFile } from "@solar-sites/core/model"
import type { CoverageSummary, Document, DocumentRequirements, SiteCoverage } from "@solar-sites/http-node/client"
import { daysUntil } from "../documents/daysUntil.ts"
import type { CoverageState } from "../texts/en/health.ts"

export type Health = "expired" | "missing" | "expiring" | "complete"

/** The most urgent first. */
export const healths: ReadonlyArray<Health> = ["expired", "missing", "expiring", "complete"]

/** A required document without a file, and one that is not valid yet, are not there today. */
const healthOf: Record<CoverageState, Health> = {
  expired: "expired",
  missing: "missing",
  pending: "missing",
  not_yet_valid: "missing",
  expiring: "expiring",
  valid: "complete"
}

const worstOf = (states: ReadonlyArray<CoverageState>): Health | null => {
  const found = new Set(states.map((state) => healthOf[state]))
  return healths.find((health) => found.has(health)) ?? null
}

/** Null for a site without requirements. */
export const healthOfSite = ({ items }: Pick<SiteCoverage, "items">): Health | null =>
  worstOf(items.map(({ state }) => state))

/** States of required documents, the most urgent first. */
export const coverageStates: ReadonlyArray<CoverageState> = [
  "expired",
  "missing",
  "pending",
  "not_yet_valid",
  "expiring",
  "valid"
]

export const isCoverageState = (text: string | null): text is CoverageState =>
  coverageStates.some((state) => state === text)

/** The worst health of the counted sites; null without requirements or sites. */
export const healthOfSummary = ({ documentTypes }: Pick<CoverageSummary, "documentTypes">): Health | null =>
  worstOf(coverageStates.filter((state) => documentTypes.some((ofType) => ofType[state] > 0)))

type Requirements = DocumentRequirements["requirements"]

/** Days before its end in which a document without a requirement expires; the default of requirements, too. */
const usualDays = 30

/** The requirement that a document fulfils at a site of this portfolio. That of the portfolio counts. */
export const requirementOf = (
  { documentType }: Pick<Document, "documentType">,
  requirements: Requirements,
  portfolioId: string | null
): Requirements[number] | undefined => {
  const ofType = requirements.filter((requirement) => requirement.documentType === documentType)
  return (
    ofType.find((requirement) => requirement.portfolioId === portfolioId) ??
    ofType.find((requirement) => requirement.portfolioId === null)
  )
}

/** Null unless the document counts and its validity needs attention. */
export const healthOfDocument = (
  document: Pick<Document, "documentType" | "replacedBy" | "status" | "validUntil">,
  requirements: Requirements,
  portfolioId: string | null
): "expired" | "expiring" | null => {
  const { replacedBy, validUntil } = document
  if (validUntil === null || replacedBy !== null || !hasFile(document)) return null
  const days = daysUntil(validUntil)
  if (days < 0) return "expired"
  return days <= (requirementOf(document, requirements, portfolioId)?.expiringWithinDays ?? usualDays)
    ? "expiring"
    : null
}
