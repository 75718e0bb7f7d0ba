/**
 * Rules of imports of sites in the console (docs/import.md, docs/console.md, decision 54): columns,
 * check, start, and the latest imports.
 */
import { type Expected, invalid, ok, type Rule, refused, type Turn, uuidIn } from "../Call.ts"
import type { Table } from "../ImportedFile.ts"
import type { ImportOptions } from "../ImportState.ts"
import { Hole, newId } from "../Match.ts"
import { flag, isRecord, type Member, type Members, read } from "../Members.ts"
import { columnsOf, importedMembers, targetOf } from "./ImportedColumns.ts"
import { faultsHole, reportHole } from "./ImportFaults.ts"
import { isNoTable, noCounts, planOf } from "./ImportPlans.ts"
import { importJson, isSilent, latest, purge, start } from "./ImportRuns.ts"
import { roleInsufficient, userOf } from "./Roles.ts"

/** A rule for users who may write sites. */
const forWriter =
  (rule: Rule): Rule =>
  (turn) =>
    userOf(turn).role === "viewer" ? roleInsufficient : rule(turn)

// The body of these calls is a table, as generated.
const tableOf = ({ call }: Turn): Table => call.body as Table

const tooLarge = refused(413, "body_too_large")

const isText = (value: unknown, most: number): boolean =>
  typeof value === "string" && value.length > 0 && value.length <= most

const isTarget = (value: unknown): boolean =>
  typeof value === "string" && (value === "-" || targetOf(value) !== undefined)

const mappings: Member = {
  required: true,
  holds: (value) => Array.isArray(value) && value.every((one) => isRecord(one) && isTarget(one["target"])),
  inside: (value, pointer) =>
    Array.isArray(value)
      ? value.flatMap((one, index) => (isTarget(Object(one).target) ? [] : [`${pointer}/${index}/target`]))
      : [pointer]
}

const optionMembers: Members = {
  fileName: { required: true, holds: (value) => isText(value, 255) },
  upsert: { ...flag, required: true },
  mappings
}

const normal = (target: string): string => targetOf(target) ?? target

/** The parameter `options`, or its faults. */
const optionsOf = ({ call }: Turn): { readonly fileName: string; readonly options: ImportOptions } | Expected => {
  const [, text = ""] = call.query.find(([name]) => name === "options") ?? []
  if (!text.startsWith("{")) return invalid([""])
  const { pointers, values } = read(optionMembers, [], JSON.parse(text), "create")
  if (pointers.length > 0) return invalid(pointers)
  const given = values["mappings"] as ImportOptions["mappings"] // As the table says.
  return {
    fileName: String(values["fileName"]),
    options: {
      upsert: values["upsert"] === true,
      mappings: given.map(({ column, target }) => ({ column, target: normal(target) }))
    }
  }
}

const longestSample = 80

/** Those of the first rows, at most three. */
const samplesOf = ({ rows }: Table, index: number): ReadonlyArray<string> =>
  rows
    .map((cells) => cells[index] ?? null)
    .filter((cell) => cell !== null && cell !== "")
    .slice(0, 3)
    .map((cell) => String(cell).replace(/^'(?='*[=+\-@\t\r])/, ""))
    .map((text) => (text.length > longestSample ? `${text.slice(0, longestSample)}…` : text))

const members = new Hole(
  "the members",
  (found) => Array.isArray(found) && JSON.stringify(found.toSorted()) === JSON.stringify(importedMembers.toSorted())
)

const suggestion = new Hole("a member or null", (found) => found === null || importedMembers.includes(String(found)))

const readImportColumns: Rule = (turn) => {
  const table = tableOf(turn)
  if (table.form === "large") return tooLarge
  // The first rows of a file that cannot be read are none.
  const { faults } = planOf(turn, { ...table, header: [], rows: [] }, { upsert: true, mappings: [] })
  if (faults === null || faults.length > 0) return ok(200, { columns: [], members, faults: faultsHole(faults) })
  const known = columnsOf(table, [], []).columns
  const columns = table.header.flatMap((header, index) => {
    if (header === "") return []
    const { target = null, unit = null } = known.find((one) => one.index === index) ?? {}
    const samples = samplesOf(table, index)
    return [{ index, header, target, unit, suggestion: target === null ? suggestion : null, samples }]
  })
  return ok(200, { columns, members, faults: [] })
}

const checkImport: Rule = (turn) => {
  const read = optionsOf(turn)
  if ("status" in read) return read
  const table = tableOf(turn)
  if (table.form === "large") return tooLarge
  const { counts, faults } = planOf(turn, table, read.options)
  const importId = newId(turn.model, (id) => void turn.organisation.importIds.push(id))
  if (faults?.length === 0) return ok(200, { importId, ...counts, faults: [], faultCount: 0, report: null })
  const found = faultsHole(faults)
  return ok(200, { importId, ...noCounts, faults: found, ...reportHole(found) })
}

const startImport: Rule = (turn) => {
  const id = uuidIn(turn.call.ids[0])
  if (id === undefined) return refused(404, "import_not_found")
  const read = optionsOf(turn)
  if ("status" in read) return read
  const table = tableOf(turn)
  if (table.form === "large") return tooLarge
  if (isNoTable(table)) return invalid([""])
  const request = JSON.stringify([table, read.options])
  const { at, organisation } = turn
  purge(turn, id)
  const known = organisation.imports.get(id)
  if (known !== undefined && known.request !== request) return refused(409, "idempotency_key_reused")
  const isRunning = [...organisation.imports.values()].some(
    (one) => one !== known && one.state === "running" && !isSilent(one, at)
  )
  if (isRunning) return known === undefined ? refused(409, "import_running") : ok(202, importJson(turn, known))
  const goesOn = known === undefined || known.state === "failed" || isSilent(known, at)
  if (!goesOn) return ok(202, importJson(turn, known))
  return ok(202, start(turn, { id, request, table, ...read }))
}

const listImports: Rule = (turn) => ok(200, { data: latest(turn.organisation).map((one) => importJson(turn, one)) })

export const importRules: Readonly<Record<string, Rule>> = {
  readImportColumns: forWriter(readImportColumns),
  checkImport: forWriter(checkImport),
  startImport: forWriter(startImport),
  listImports: forWriter(listImports)
}
