/**
 * Requirements as records: the list of an organisation, and its entries.
 */
import { Schema } from "effect"
import { changesBetween } from "../events/Event.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { type NewEvent, recordKind } from "../records/RecordKind.ts"
import { Version } from "../versions/Version.ts"
import { DocumentRequirement, DocumentRequirements } from "./Requirement.ts"

/**
 * The list without its entries; `id` is that of the organisation. Every change of an entry changes `version`.
 */
export class RequirementListRecord extends Schema.Class<RequirementListRecord>(
  "@solar-sites/core/RequirementListRecord"
)({
  id: OrganisationId,
  version: Version,
  updatedAt: Schema.DateTimeUtcFromString
}) {}

/** An entry of a list. Positions order the entries and can have gaps; `id` is the text of the position. */
export class RequirementRecord extends Schema.Class<RequirementRecord>("@solar-sites/core/RequirementRecord")({
  id: Schema.String,
  listId: OrganisationId,
  position: Schema.Int,
  ...DocumentRequirement.fields
}) {}

export const requirementListKind = recordKind("requirement_list", RequirementListRecord, {
  references: [{ member: "id", kind: "organisation" }],
  belongsTo: "organisation"
})

/** Written together with the list alone, so that the revision of the list is that of its entries, too. */
export const requirementKind = recordKind("requirement", RequirementRecord, {
  indexed: ["listId"],
  references: [{ member: "portfolioId", kind: "portfolio" }],
  belongsTo: { portfolio: "portfolioId", orNone: true }
})

/** The entries of a list. */
export const requirementRecords = (
  listId: OrganisationId,
  requirements: ReadonlyArray<DocumentRequirement>
): ReadonlyArray<RequirementRecord> =>
  requirements.map(({ documentType, expiringWithinDays, portfolioId, validityRequired }, position) => {
    const members = { documentType, validityRequired, portfolioId, expiringWithinDays }
    return makeUnchecked(RequirementRecord, { id: String(position), listId, position, ...members })
  })

/** The list as callers see it, from its records in any order. Without a record of the list it is empty. */
export const documentRequirements = (
  list: RequirementListRecord | null,
  entries: Iterable<RequirementRecord>
): DocumentRequirements =>
  makeUnchecked(DocumentRequirements, {
    requirements: [...entries]
      .sort((a, b) => a.position - b.position)
      .map(({ documentType, expiringWithinDays, portfolioId, validityRequired }) => ({
        documentType,
        validityRequired,
        portfolioId,
        expiringWithinDays
      })),
    version: list?.version ?? 0
  })

/** The event about a change of a list. */
export const requirementsEvent = (
  organisationId: OrganisationId,
  before: DocumentRequirements,
  after: DocumentRequirements
): NewEvent => ({
  type: "requirements.updated",
  subjectId: organisationId,
  subjectName: null,
  siteId: null,
  changes: changesBetween(["requirements"], before, after)
})
