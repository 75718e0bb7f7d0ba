/**
 * Setup of the cases about requirements.
 */
import {
  type DocumentRequirement,
  type OrganisationId,
  type PortfolioId,
  requirementListRecords
} from "@solar-sites/core"
import { Effect } from "effect"
import { aRequirement } from "../fixtures.ts"
import type { ExpectedEvent } from "./EventSetup.ts"

/** The stored list as plain values. */
export const currentRequirements = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { requirements, version } = yield* (yield* requirementListRecords).find(organisationId)
  return { requirements, version }
})

/** A list with requirements of these portfolios, and of all sites. */
export const mixedRequirements = (...portfolioIds: ReadonlyArray<PortfolioId>): ReadonlyArray<DocumentRequirement> => [
  aRequirement({ documentType: "warranty_information" }),
  ...portfolioIds.map((portfolioId) =>
    aRequirement({ documentType: "insurance", portfolioId, validityRequired: true })
  ),
  aRequirement({ documentType: "insurance", expiringWithinDays: 365 }),
  aRequirement({ documentType: "epc", expiringWithinDays: 1 })
]

export const needs = (
  documentType: DocumentRequirement["documentType"],
  overrides?: Partial<DocumentRequirement>
): DocumentRequirement => aRequirement({ documentType, ...overrides })

type List = ReadonlyArray<DocumentRequirement>

/** The event of a list that becomes another one. */
export const requirementsUpdated = (id: OrganisationId, from: List, to: List): ExpectedEvent => ({
  type: "requirements.updated",
  siteId: null,
  subject: { id, name: null },
  changes: { requirements: { from, to } }
})
