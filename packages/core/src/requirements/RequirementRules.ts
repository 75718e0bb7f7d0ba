/**
 * The rule of requirements as a pure function: records and a command in, a change or a refusal out.
 */
import { Array as Arr, type DateTime, Equal, Result } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Decision } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { organisationReference } from "../records/OrganisationReference.ts"
import type { Find, Write } from "../records/RecordKind.ts"
import { PortfoliosNotFound } from "../sites/PortfolioReference.ts"
import { portfolioReference } from "../sites/SiteKind.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../versions/Version.ts"
import type { DocumentRequirement, DocumentRequirements } from "./Requirement.ts"
import {
  documentRequirements,
  RequirementListRecord,
  requirementKind,
  requirementListKind,
  requirementRecords,
  requirementsEvent
} from "./RequirementKind.ts"

/** A new list in place of the stored one, by a caller who expects one of the versions. */
export interface RequirementReplacement {
  readonly organisationId: OrganisationId
  readonly requirements: ReadonlyArray<DocumentRequirement>
  readonly at: DateTime.Utc
  readonly expectedVersions?: ExpectedVersions
}

/** The portfolios of entries, each once, in their order. */
const portfoliosOf = (requirements: ReadonlyArray<DocumentRequirement>): ReadonlyArray<PortfolioId> => [
  ...new Set(requirements.flatMap(({ portfolioId }) => portfolioId ?? []))
]

/** The stored list. */
export const findsOfList = (organisationId: OrganisationId): ReadonlyArray<Find> => [
  { kind: requirementListKind, by: "id", values: [organisationId] },
  { kind: requirementKind, by: "listId", values: [organisationId] }
]

/** The list that `findsOfList` found. */
export const foundList = (found: Found, organisationId: OrganisationId): DocumentRequirements =>
  documentRequirements(
    found.byId(requirementListKind, organisationId)?.record ?? null,
    found.all(requirementKind, "listId", organisationId).map(({ record }) => record)
  )

/** The records that `replaceRequirements` reads. */
export const findsOfReplacement = ({ organisationId, requirements }: RequirementReplacement): ReadonlyArray<Find> => [
  { kind: organisationReference, by: "id", values: [organisationId] },
  { kind: portfolioReference, by: "id", values: portfoliosOf(requirements) },
  ...findsOfList(organisationId)
]

/** The entries that differ from those at the same positions, and those that go. */
const entryWrites = (found: Found, { organisationId, requirements }: RequirementReplacement): ReadonlyArray<Write> => {
  const stored = new Map(found.all(requirementKind, "listId", organisationId).map((entry) => [entry.record.id, entry]))
  const written = requirementRecords(organisationId, requirements).flatMap((after): ReadonlyArray<Write> => {
    const { id } = after
    const before = stored.get(id) ?? null
    stored.delete(id)
    const isSame = before !== null && Equal.equals({ ...before.record }, { ...after })
    return isSame ? [] : [{ kind: requirementKind, id, before, after }]
  })
  const removed = [...stored].map(([id, before]): Write => ({ kind: requirementKind, id, before, after: null }))
  return [...written, ...removed]
}

/** Replaces the list of an organisation. */
export const replaceRequirements =
  (command: RequirementReplacement, origin: EventOrigin) =>
  (
    found: Found
  ): Result.Result<Decision<DocumentRequirements>, PortfoliosNotFound | VersionMismatch | OrganisationNotFound> => {
    const { at, expectedVersions, organisationId, requirements } = command
    const missing = portfoliosOf(requirements).filter((id) => found.byId(portfolioReference, id) === null)
    if (Arr.isArrayNonEmpty(missing)) return Result.fail(new PortfoliosNotFound({ portfolioIds: missing }))
    const stored = foundList(found, organisationId)
    const { version } = stored
    if (!isExpected(expectedVersions, version)) return Result.fail(new VersionMismatch({ actual: version }))
    const list = makeUnchecked(RequirementListRecord, { id: organisationId, version: version + 1, updatedAt: at })
    const after = documentRequirements(list, requirementRecords(organisationId, requirements))
    if (Equal.equals(stored.requirements, after.requirements)) return Result.succeed({ answer: stored, change: null })
    if (found.byId(organisationReference, organisationId) === null) {
      return Result.fail(new OrganisationNotFound({ organisationId }))
    }
    const before = found.byId(requirementListKind, organisationId)
    return Result.succeed({
      answer: after,
      change: {
        writes: [
          { kind: requirementListKind, id: organisationId, before, after: list },
          ...entryWrites(found, command)
        ],
        // The revision of the list shows every change of an entry.
        mayChange: found.all(requirementKind, "listId", organisationId).map(({ record }) => record.id),
        events: [requirementsEvent(organisationId, stored, after)],
        origin,
        at
      }
    })
  }
