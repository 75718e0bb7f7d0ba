/**
 * Rules of imports of sites in the console (docs/import.md, docs/console.md, decision 48): columns,
 * check, start, the latest imports, and faults as an answer shows them and as CSV.
 */
import { Schema } from "effect"
import { type Expected, invalid, ok, type Rule, refused, type Turn, uuidIn } from "../Call.ts"
import { cellsOf } from "../Csv.ts"
import type { Table } from "../ImportedFile.ts"
import type { Fault, SiteImport } from "../ImportState.ts"
import { given } from "../Input.ts"
import { Hole, isRecord, newId } from "../Match.ts"
import { columnsOf, importedMembers, targetOf } from "./ImportedColumns.ts"
import { isNoTable, noCounts, planOf } from "./ImportPlans.ts"
import { importJson, isSilent, latest, purge, start } from "./ImportRuns.ts"
import { roleInsufficient, userOf } from "./Roles.ts"

const isFault = (found: unknown): found is Required<Fault> & { readonly detail: string } =>
  isRecord(found) &&
  Object.keys(found).length === 4 &&
  Number.isInteger(found["row"]) &&
  (found["column"] === null || typeof found["column"] === "string") &&
  /^[a-z_]+$/.test(String(found["code"])) &&
  String(found["detail"]).length > 0

const placeOf = ({ column, row }: Fault): string => JSON.stringify([row, column])

const sameFaults = (expected: ReadonlyArray<Fault> | null, found: ReadonlyArray<unknown>): boolean => {
  if (found.length === 0 || !found.every(isFault)) return false
  if (expected === null) return true
  const places = (faults: ReadonlyArray<Fault>) => [...new Set(faults.map(placeOf))].sort()
  const hasCode = (fault: Fault) =>
    fault.code === undefined || found.some((one) => placeOf(one) === placeOf(fault) && one.code === fault.code)
  return JSON.stringify(places(expected)) === JSON.stringify(places(found)) && expected.every(hasCode)
}

interface FaultsHole extends Hole {
  readonly found: () => ReadonlyArray<unknown>
}

/** The faults in any order, one or more at each place. Null stands for at least one. */
const faultsHole = (expected: ReadonlyArray<Fault> | null): FaultsHole => {
  let faults: ReadonlyArray<unknown> = []
  const hole = new Hole(`the faults ${JSON.stringify(expected)}`, (found) => {
    faults = Array.isArray(found) ? found : []
    return sameFaults(expected, faults)
  })
  return Object.assign(hole, { found: () => faults })
}

const linesOf = (faults: ReadonlyArray<unknown>): ReadonlyArray<ReadonlyArray<string | null>> =>
  faults.filter(isFault).map(({ code, column, detail, row }) => [String(row), column, code, detail])

/** Number and report of faults that were found before. */
const reportHole = ({ found: faults }: FaultsHole) => ({
  faultCount: new Hole("the number of faults", (found) => found === faults().length),
  report: new Hole("the faults as CSV", (found) => {
    const [header, ...lines] = cellsOf(String(found))
    return header?.join() === "row,column,code,detail" && JSON.stringify(lines) === JSON.stringify(linesOf(faults()))
  })
})

/** A rule for users who may write sites. */
const forWriter =
  (rule: Rule): Rule =>
  (turn) =>
    userOf(turn).role === "viewer" ? roleInsufficient : rule(turn)

// The body of these calls is a table, as generated.
const tableOf = ({ call }: Turn): Table => call.body as Table

const tooLarge = refused(413, "body_too_large")

const Target = Schema.String.check(Schema.makeFilter((name) => name === "-" || targetOf(name) !== undefined))

const Options = Schema.Struct({
  fileName: Schema.NonEmptyString.check(Schema.isMaxLength(255)),
  upsert: Schema.Boolean,
  mappings: Schema.Array(Schema.Struct({ column: Schema.String, target: Target }))
})

type Asked = Pick<SiteImport, "fileName" | "options">

/** The answer for the parameter `options`, or its faults. */
const withOptions = ({ call }: Turn, answer: (asked: Asked) => Expected): Expected => {
  const [, text = ""] = call.query.find(([name]) => name === "options") ?? []
  if (!text.startsWith("{")) return invalid([""])
  return given(Options, { body: JSON.parse(text) }, ({ fileName, mappings, upsert }) => {
    const named = mappings.map(({ column, target }) => ({ column, target: targetOf(target) ?? target }))
    return answer({ fileName, options: { upsert, mappings: named } })
  })
}

const longestSample = 80

/** Samples from the first rows, at most three. */
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

export const importRules: Readonly<Record<string, Rule>> = {
  readImportColumns: forWriter((turn) => {
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
  }),
  checkImport: forWriter((turn) =>
    withOptions(turn, ({ options }) => {
      const table = tableOf(turn)
      if (table.form === "large") return tooLarge
      const { counts, faults } = planOf(turn, table, options)
      const importId = newId(turn.model, (id) => void turn.organisation.importIds.push(id))
      if (faults?.length === 0) return ok(200, { importId, ...counts, faults: [], faultCount: 0, report: null })
      const found = faultsHole(faults)
      return ok(200, { importId, ...noCounts, faults: found, ...reportHole(found) })
    })
  ),
  startImport: forWriter((turn) => {
    const id = uuidIn(turn.call.ids[0])
    if (id === undefined) return refused(404, "import_not_found")
    return withOptions(turn, (asked) => {
      const table = tableOf(turn)
      if (table.form === "large") return tooLarge
      if (isNoTable(table)) return invalid([""])
      const request = JSON.stringify([table, asked.options])
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
      return ok(202, start(turn, { id, request, table, ...asked }))
    })
  }),
  listImports: forWriter((turn) => ok(200, { data: latest(turn.organisation).map((one) => importJson(turn, one)) }))
}
