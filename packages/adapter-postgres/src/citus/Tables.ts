/**
 * The tables of organisations. A migration that adds a table adds it here, for row-level security and
 * for Citus.
 */

/** Distributed by `organisation_id` on Citus. */
export const distributedTables: ReadonlyArray<string> = [
  "portfolio",
  "site",
  "document",
  "deleted_file",
  "idempotency",
  "event",
  "event_sequence",
  "requirement_list",
  "requirement",
  "webhook",
  "webhook_delivery"
]

/** Complete on every node of Citus, each with its column of the organisation. */
export const referenceTables = { organisation: "id", api_key: "organisation_id" }

/** Tables that the coordinator of Citus keeps copies of (docs/decisions/0042). */
export const coordinatorTables: ReadonlyArray<string> = [...Object.keys(referenceTables), "event_sequence", "event"]

/** The name of the copy. */
export const coordinatorName = (table: string): string => `coordinator_${table}`
