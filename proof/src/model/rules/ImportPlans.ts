/**
 * What an import of a file would do: faults, or sites to create and to change (docs/import.md).
 */
import type { Origin } from "../Call.ts"
import type { Table } from "../ImportedFile.ts"
import type { Counts, Fault, ImportOptions, Plan, PlannedRow } from "../ImportState.ts"
import type { Site } from "../ModelState.ts"
import { columnsOf, headerAt } from "./ImportedColumns.ts"
import { readRow } from "./ImportedRows.ts"
import { changeSite, portfolioMissing, siteWith } from "./SiteRecords.ts"

export const noCounts: Counts = { created: 0, updated: 0, unchanged: 0 }

const unreadable: Partial<Record<Table["form"], ReadonlyArray<Fault> | null>> = {
  unclosed: null,
  "damaged workbook": null,
  empty: [{ row: 1, column: null, code: "empty_file" }]
}

/** The form of a file that is refused as a whole; it is read before rows are. */
export const isNoTable = ({ form }: Table): boolean => form === "utf-16" || form === "old workbook"

/** By external id, else by a name that one portfolio has. */
const portfolioNamed = ({ portfolios }: Origin["organisation"], name: string): string | undefined => {
  const all = [...portfolios.values()]
  const byExternalId = all.find(({ externalId }) => externalId === name)
  const byName = all.filter((one) => one.name === name)
  return byExternalId?.id ?? (byName.length === 1 ? byName[0]?.id : undefined)
}

const faultsOf = (faults: Plan["faults"], lastRow: number): Plan => ({ faults, rows: [], counts: noCounts, lastRow })

const hasContent = (cells: Table["rows"][number]): boolean => cells.some((cell) => cell !== null && cell !== "")

/** Without an effect on the organisation. */
const countChanges = (origin: Origin, rows: ReadonlyArray<PlannedRow>): Counts => {
  const { organisation } = origin
  const dry = { ...origin, organisation: { ...organisation, events: [] } }
  const counts = { ...noCounts }
  for (const { stored, values } of rows) {
    const site: Site | undefined = organisation.sites.get(stored ?? "")
    if (site === undefined) counts.created += 1
    else if (changeSite(dry, { ...site }, values)) counts.updated += 1
    else counts.unchanged += 1
  }
  return counts
}

/** `made` are sites that earlier attempts of the import have made, by row. */
export const planOf = (
  origin: Origin,
  table: Table,
  { mappings, upsert }: ImportOptions,
  made: ReadonlyMap<number, string> = new Map()
): Plan => {
  const { organisation } = origin
  if (isNoTable(table)) return faultsOf(null, 0)
  const formFaults = unreadable[table.form]
  if (formFaults !== undefined) return faultsOf(formFaults, 0)
  const { columns, faults: headerFaults } = columnsOf(table, mappings, upsert ? [] : ["siteName", "capacity", "unit"])
  if (headerFaults.length > 0) return faultsOf(headerFaults, 0)

  const isStored = (externalId: string) => upsert && siteWith(organisation, externalId) !== undefined
  const named = (name: string) => portfolioNamed(organisation, name)
  const rows = table.rows.flatMap((cells, index) =>
    hasContent(cells) ? [readRow(table, columns, index, { isStored, named })] : []
  )
  const column = headerAt(columns, "/externalId")
  const faults = rows.flatMap(({ externalId, faults: found, row, values }, index) => {
    const more: Array<Fault> = [...found]
    const isRepeated = externalId !== null && rows.slice(0, index).some((one) => one.externalId === externalId)
    if (isRepeated) more.push({ row, column, code: "duplicate" })
    if (found.length > 0) return more
    if (portfolioMissing(organisation, values)) {
      more.push({ row, column: headerAt(columns, "/portfolioId"), code: "portfolio_not_found" })
    }
    const taken = upsert ? undefined : siteWith(organisation, externalId)
    if (taken !== undefined && taken.id !== made.get(row)) more.push({ row, column, code: "external_id_taken" })
    return more
  })
  const lastRow = rows.at(-1)?.row ?? 0
  if (faults.length > 0) return faultsOf(faults, lastRow)
  const planned = rows.map((row) => ({
    ...row,
    stored: (upsert ? siteWith(organisation, row.externalId)?.id : undefined) ?? null
  }))
  return { faults: [], rows: planned, counts: countChanges(origin, planned), lastRow }
}
