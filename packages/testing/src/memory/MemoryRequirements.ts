/**
 * The list of requirements of an organisation.
 */
import {
  type DocumentRequirements,
  documentRequirements,
  type NewEvent,
  type OrganisationId,
  type PortfolioId,
  RequirementListRecord,
  requirementsEvent
} from "@solar-sites/core"
import type { DateTime } from "effect"
import type { Owned } from "./MemoryDatabase.ts"

/** The list; empty and of version 0 where none is stored. */
export const requirementsOf = ({ requirementLists, requirements }: Owned): DocumentRequirements => {
  const [list = null] = requirementLists.values()
  return documentRequirements(list, requirements.values())
}

/** Removes the requirements of a portfolio, and makes the event of the list when it had any. */
export const removeRequirements = (
  owned: Owned,
  organisationId: OrganisationId,
  portfolioId: PortfolioId,
  at: DateTime.Utc
): ReadonlyArray<NewEvent> => {
  const { requirementLists, requirements } = owned
  const before = requirementsOf(owned)
  const removed = [...requirements.values()].filter((one) => one.portfolioId === portfolioId)
  if (removed.length === 0) return []
  for (const { id } of removed) requirements.delete(id)
  const list = new RequirementListRecord({ id: organisationId, version: before.version + 1, updatedAt: at })
  requirementLists.set(organisationId, Object.freeze(list))
  return [requirementsEvent(organisationId, before, requirementsOf(owned))]
}
