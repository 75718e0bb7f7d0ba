/**
 * Rules of portfolios as pure functions: records and a command in, a change or a refusal out.
 */
import { type DateTime, Result } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { ExternalIdTaken } from "../ids/ExternalId.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Decision } from "../records/Deciding.ts"
import { externalIdTaken, findsOfExternalIds } from "../records/ExternalIds.ts"
import { assumed, type Found, foundOf } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { organisationReference } from "../records/OrganisationReference.ts"
import type { Find } from "../records/RecordKind.ts"
import { PortfolioNotFound } from "../sites/PortfolioReference.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../versions/Version.ts"
import { Portfolio } from "./Portfolio.ts"
import { portfolioEvent, portfolioKind } from "./PortfolioKind.ts"
import type { PortfolioChanges } from "./PortfolioRepository.ts"

/** New portfolios, with different ids and different external ids. */
export interface PortfolioCreation {
  readonly organisationId: OrganisationId
  readonly portfolios: ReadonlyArray<Portfolio>
}

/** The records that `createPortfolios` reads when its commit was stale. */
export const findsOfCreation = ({ organisationId, portfolios }: PortfolioCreation): ReadonlyArray<Find> => [
  { kind: organisationReference, by: "id", values: [organisationId] },
  { kind: portfolioKind, by: "id", values: portfolios.map(({ id }) => id) },
  ...findsOfExternalIds(portfolioKind, portfolios)
]

/** The records as if nothing stood against new portfolios. */
export const assumedForCreation = ({ organisationId }: PortfolioCreation): Found =>
  foundOf([assumed(organisationReference, { id: organisationId })])

/** Stores new portfolios: all or none. One that is stored under its id is part of the answer, unchanged. */
export const createPortfolios =
  ({ organisationId, portfolios }: PortfolioCreation, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<ReadonlyArray<Portfolio>>, OrganisationNotFound | ExternalIdTaken> => {
    if (found.byId(organisationReference, organisationId) === null) {
      return Result.fail(new OrganisationNotFound({ organisationId }))
    }
    const created = portfolios.filter(({ id }) => found.byId(portfolioKind, id) === null)
    const taken = externalIdTaken(found, portfolioKind, created)
    if (taken !== null) return Result.fail(taken)
    const answer = portfolios.map((portfolio) => found.byId(portfolioKind, portfolio.id)?.record ?? portfolio)
    const [first, ...others] = created.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    if (first === undefined) return Result.succeed({ answer, change: null })
    const ordered = [first, ...others]
    return Result.succeed({
      answer,
      change: {
        writes: ordered.map((after) => ({ kind: portfolioKind, id: after.id, before: null, after })),
        events: ordered.map((after) => portfolioEvent("portfolio.created", null, after)),
        origin,
        at: first.createdAt
      }
    })
  }

/** A change of a portfolio, by a caller who expects one of the versions. */
export interface PortfolioUpdate {
  readonly portfolioId: PortfolioId
  readonly changes: PortfolioChanges
  readonly at: DateTime.Utc
  readonly expectedVersions?: ExpectedVersions
}

/** The records that `updatePortfolio` reads. */
export const findsOfUpdate = ({ changes, portfolioId }: PortfolioUpdate): ReadonlyArray<Find> => [
  { kind: portfolioKind, by: "id", values: [portfolioId] },
  ...findsOfExternalIds(portfolioKind, [changes])
]

/** Sets the members of a portfolio. */
export const updatePortfolio =
  ({ at, changes, expectedVersions, portfolioId }: PortfolioUpdate, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<Portfolio>, PortfolioNotFound | VersionMismatch | ExternalIdTaken> => {
    const before = found.byId(portfolioKind, portfolioId)
    if (before === null) return Result.fail(new PortfolioNotFound({ portfolioId }))
    const { record: portfolio } = before
    const { version } = portfolio
    if (!isExpected(expectedVersions, version)) return Result.fail(new VersionMismatch({ actual: version }))
    const taken = externalIdTaken(found, portfolioKind, [{ ...changes, id: portfolioId }])
    if (taken !== null) return Result.fail(taken)
    const after = makeUnchecked(Portfolio, { ...portfolio, ...changes, updatedAt: at, version: version + 1 })
    if (after.name === portfolio.name && after.externalId === portfolio.externalId) {
      return Result.succeed({ answer: portfolio, change: null })
    }
    return Result.succeed({
      answer: after,
      change: {
        writes: [{ kind: portfolioKind, id: portfolioId, before, after }],
        events: [portfolioEvent("portfolio.updated", portfolio, after)],
        origin,
        at
      }
    })
  }
