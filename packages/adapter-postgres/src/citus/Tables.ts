/**
 * The tables of organisations. A migration that adds a table adds it here, for row-level security and
 * for Citus. Tables of an application are local tables of the coordinator (docs/decisions/0056).
 */

/** `across`: key look-ups and maintenance read the table in all organisations. */
const readers: Readonly<Record<string, "own" | "across">> = {
  portfolio: "own",
  site: "own",
  document: "across",
  deleted_file: "across",
  idempotency: "across",
  event: "across",
  event_sequence: "across",
  requirement_list: "own",
  requirement: "across",
  webhook: "across",
  webhook_delivery: "across"
}

/** Distributed by `organisation_id` on Citus. */
export const distributedTables: ReadonlyArray<string> = Object.keys(readers)

/** All tables with rows of organisations. */
export const ownedTables: ReadonlyArray<string> = [...distributedTables, "api_key"]

/** Owned tables that statements over all organisations may read. */
export const tablesReadAcross: ReadonlyArray<string> = [
  "api_key",
  ...distributedTables.filter((name) => readers[name] === "across")
]

/** Complete on every node of Citus, each with its column of the organisation. */
export const referenceTables = { organisation: "id", api_key: "organisation_id" }

/** Tables that the coordinator of Citus keeps copies of (docs/decisions/0042). */
export const coordinatorTables: ReadonlyArray<string> = [...Object.keys(referenceTables), "event_sequence", "event"]

/** The name of the copy. */
export const coordinatorName = (table: string): string => `coordinator_${table}`
