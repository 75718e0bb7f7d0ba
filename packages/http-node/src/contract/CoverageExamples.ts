/**
 * The values the API reference shows for requirements and coverage.
 */
import { examplePortfolio, exampleSite } from "./Examples.ts"

export const exampleRequirements = {
  requirements: [
    { documentType: "insurance", validityRequired: true, portfolioId: null, expiringWithinDays: 60 },
    {
      documentType: "mcs_certificate",
      validityRequired: false,
      portfolioId: examplePortfolio.id,
      expiringWithinDays: 30
    }
  ],
  version: 3
}

export const exampleSiteCoverage = {
  siteId: exampleSite.id,
  siteName: exampleSite.siteName,
  portfolioId: examplePortfolio.id,
  complete: false,
  items: [
    { documentType: "insurance", state: "missing", documentId: null, validUntil: null },
    { documentType: "mcs_certificate", state: "missing", documentId: null, validUntil: null }
  ]
}

const none = { missing: 1, pending: 0, valid: 0, expiring: 0, expired: 0, not_yet_valid: 0 }

export const exampleSummary = {
  asOf: "2026-01-05",
  siteCount: 1,
  completeCount: 0,
  documentTypes: [
    { documentType: "insurance", ...none },
    { documentType: "mcs_certificate", ...none }
  ]
}
