/**
 * Deletion of a portfolio over any store of records, for adapters without a statement of their own.
 */
import { Effect, Result } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { portfolioEvent, portfolioKind } from "../portfolios/PortfolioKind.ts"
import type { PortfolioRepository } from "../portfolios/PortfolioRepository.ts"
import { movedSites } from "../portfolios/SiteMoving.ts"
import { type Decision, makeDeciding } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import type { Find } from "../records/RecordKind.ts"
import { Records } from "../records/Records.ts"
import { siteKind } from "../sites/SiteKind.ts"
import { type CheckedVersion, checkedVersion } from "../versions/CheckedVersion.ts"
import type { ChangeOptions } from "../versions/Version.ts"
import {
  documentRequirements,
  RequirementListRecord,
  requirementKind,
  requirementListKind,
  requirementsEvent
} from "./RequirementKind.ts"

/** A portfolio to delete. */
export interface PortfolioDeletion extends ChangeOptions {
  readonly organisationId: OrganisationId
  readonly portfolioId: PortfolioId
}

/** The records that the deletion of a portfolio reads. */
export const findsOfPortfolioDeletion = ({ organisationId, portfolioId }: PortfolioDeletion): ReadonlyArray<Find> => [
  { kind: portfolioKind, by: "id", values: [portfolioId] },
  { kind: siteKind, by: "portfolioId", values: [portfolioId] },
  { kind: requirementListKind, by: "id", values: [organisationId] },
  { kind: requirementKind, by: "listId", values: [organisationId] }
]

/** The list without the requirements of the portfolio. It changes when it had any. */
const withoutRequirements = (found: Found, { at, organisationId, portfolioId }: PortfolioDeletion) => {
  const list = found.byId(requirementListKind, organisationId)
  const entries = found.all(requirementKind, "listId", organisationId)
  const removed = entries.filter(({ record }) => record.portfolioId === portfolioId)
  if (list === null || removed.length === 0) return { writes: [], events: [] }
  const after = makeUnchecked(RequirementListRecord, {
    ...list.record,
    version: list.record.version + 1,
    updatedAt: at
  })
  const all = entries.map(({ record }) => record)
  const kept = all.filter((entry) => entry.portfolioId !== portfolioId)
  return {
    writes: [
      { kind: requirementListKind, id: organisationId, before: list, after },
      ...removed.map((before) => ({ kind: requirementKind, id: before.record.id, before, after: null }))
    ],
    events: [
      requirementsEvent(organisationId, documentRequirements(list.record, all), documentRequirements(after, kept))
    ]
  }
}

/** Deletes a portfolio that has an expected version. Its sites stay without a portfolio. */
export const deletePortfolioWithRequirements =
  (deletion: PortfolioDeletion, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<CheckedVersion | null>> => {
    const { at, expectedVersions, portfolioId } = deletion
    const portfolio = found.byId(portfolioKind, portfolioId)
    const answer = checkedVersion(expectedVersions, portfolio?.record)
    if (portfolio === null || answer?.isExpected !== true) return Result.succeed({ answer, change: null })
    const sites = movedSites(found.all(siteKind, "portfolioId", portfolioId), null, at)
    const requirements = withoutRequirements(found, deletion)
    return Result.succeed({
      answer,
      change: {
        writes: [
          { kind: portfolioKind, id: portfolioId, before: portfolio, after: null },
          ...sites.writes,
          ...requirements.writes
        ],
        events: [portfolioEvent("portfolio.deleted", portfolio.record, null), ...sites.events, ...requirements.events],
        origin,
        at
      }
    })
  }

/** A method of `PortfolioRepository`. */
export const portfolioDeletion: Effect.Effect<
  Pick<PortfolioRepository["Service"], "delete">,
  never,
  Records
> = Effect.map(Records, (records) => ({
  delete: (organisationId, portfolioId, { origin, ...options }) => {
    const deletion = { organisationId, portfolioId, ...options }
    const [finds, rule] = [findsOfPortfolioDeletion(deletion), deletePortfolioWithRequirements(deletion, origin)]
    return makeDeciding(records).create({ operation: "PortfolioRepository.delete", organisationId, finds, rule }, null)
  }
}))
