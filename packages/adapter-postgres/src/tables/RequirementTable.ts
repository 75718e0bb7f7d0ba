/**
 * The tables `requirement_list` and `requirement`.
 */
import { RequirementListRecord, RequirementRecord } from "@solar-sites/core"
import { boolean, computed, instant, integer, nullable, text, uuid } from "./Column.ts"
import { makeTable } from "./Table.ts"

export const requirementListTable = makeTable(RequirementListRecord, [], {
  id: uuid("organisation_id"),
  version: integer("version"),
  updatedAt: instant("updated_at")
})

export const requirementTable = makeTable(RequirementRecord, [], {
  id: computed(text, (row) => `${row}.position::text`),
  listId: uuid("organisation_id"),
  position: integer("position"),
  documentType: text("document_type"),
  validityRequired: boolean("validity_required"),
  portfolioId: nullable(uuid("portfolio_id")),
  expiringWithinDays: integer("expiring_within_days")
})

const requirements = (rows: string) => `(
  select coalesce(json_agg(json_build_object(
    'documentType', r.document_type, 'validityRequired', r.validity_required,
    'portfolioId', r.portfolio_id, 'expiringWithinDays', r.expiring_within_days
  ) order by r.position), '[]')
  from ${rows} r
)`

/** SQL of the event about a change of the list: the names of its rows before and after. */
export const requirementsEvent = (before: string, after: string) =>
  ({
    type: "requirements.updated",
    origin: "o",
    subjectId: "$1::uuid",
    subjectName: "null::text",
    siteId: "null::uuid",
    changes: `json_build_object(
      'requirements', json_build_object('from', ${requirements(before)}, 'to', ${requirements(after)})
    )::text`
  }) as const
