/**
 * The table of promises: which test shows each of them on each system.
 */

import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import type { Proof } from "../check.ts"
import { accessPromises } from "./access.table.ts"
import { type Cell, type PromiseGroup, systems } from "./Evidence.ts"
import { filePromises, recordPromises } from "./records.table.ts"
import { servicePromises } from "./service.table.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** `file: titles` of each test, as `nameOf` makes it. */
export type Tests = ReadonlySet<string>

export const nameOf = (file: string, test: string): string => `${file}: ${test}`

/** Vitest runs the files, since suites are data, and starts the services that these look for. */
const listTests = (files: ReadonlyArray<string>): Tests => {
  const folder = mkdtempSync(join(tmpdir(), "solar-sites-tests-"))
  try {
    const list = join(folder, "tests.json")
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    const { status, stderr } = spawnSync(
      process.execPath,
      [vitest, "list", "--no-static-parse", `--json=${list}`, ...files],
      { cwd: root, encoding: "utf8", env: { ...process.env, REQUIRE_SERVICES: "1" } }
    )
    if (status !== 0) throw new Error(`Vitest does not list the tests:\n${stderr}`)
    const tests: ReadonlyArray<{ readonly file: string; readonly name: string }> = JSON.parse(
      readFileSync(list, "utf8")
    )
    return new Set(tests.map(({ file, name }) => nameOf(relative(root, file), name)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{
      readonly ancestorTitles: ReadonlyArray<string>
      readonly title: string
      readonly status: string
    }>
  }>
}

/** The tests that passed, from reports of the reporter `json`. */
export const passedTests = (reports: ReadonlyArray<string>): Tests => {
  const results = reports.flatMap((path) => (JSON.parse(readFileSync(path, "utf8")) as Report).testResults)
  return new Set(
    results.flatMap(({ assertionResults, name }) =>
      assertionResults
        .filter(({ status }) => status === "passed")
        .map(({ ancestorTitles, title }) => nameOf(relative(root, name), [...ancestorTitles, title].join(" > ")))
    )
  )
}

const groups: ReadonlyArray<PromiseGroup> = [...servicePromises, ...recordPromises, ...filePromises, ...accessPromises]

/** The cells of a group: for each promise and system its evidence, or the reason of the group. */
const cellsOf = ({ promises, reasons }: PromiseGroup) =>
  Object.entries(promises).flatMap(([promise, cells]) =>
    systems.map((system) => ({ promise, system, cell: cells[system] ?? reasons[system] }))
  )

const describeCell = (cell: Cell): string => {
  if (typeof cell === "string") return `– ${cell}`
  return "proof" in cell ? `proof ${cell.proof} --on ${cell.on}` : nameOf(cell.file, cell.test)
}

/** Faults of the table: empty cells, and tests and targets that do not exist. */
export const faultsOf = (
  table: ReadonlyArray<PromiseGroup>,
  tests: Tests,
  proofs: ReadonlyArray<Pick<Proof, "name" | "targets">>
): ReadonlyArray<string> =>
  table.flatMap(cellsOf).flatMap(({ cell, promise, system }) => {
    const place = `${promise}, ${system}`
    if (cell === undefined || cell === "") return [`${place}: neither a test nor a reason`]
    if (typeof cell === "string") return []
    const isThere =
      "proof" in cell
        ? proofs.some(({ name, targets }) => name === cell.proof && targets?.includes(cell.on))
        : tests.has(nameOf(cell.file, cell.test))
    return isThere ? [] : [`${place}: there is no ${describeCell(cell)}`]
  })

export const linesOf = (table: ReadonlyArray<PromiseGroup>): ReadonlyArray<string> =>
  table.flatMap((group) => [
    "",
    group.title,
    ...Object.entries(group.reasons).map(([system, reason]) => `  unless named, ${system} ${reason}`),
    ...Object.entries(group.promises).flatMap(([promise, cells]) => {
      const own = systems.filter((system) => cells[system] !== undefined)
      const shown = Map.groupBy(own, (system) => describeCell(cells[system] ?? ""))
      return [`  ${promise}`, ...[...shown].map(([text, of]) => `    ${of.join(", ").padEnd(10)} ${text}`)]
    })
  ])

const filesOf = (table: ReadonlyArray<PromiseGroup>): ReadonlyArray<string> => {
  const cells = table.flatMap(cellsOf).map(({ cell }) => cell)
  return [...new Set(cells.flatMap((cell) => (typeof cell === "object" && "file" in cell ? [cell.file] : [])))].sort()
}

/** `proofs` are those that cells may name. */
export const promisesOf = (proofs: ReadonlyArray<Proof>): Proof => ({
  name: "promises",
  title: "A test shows each promise of the service, on each system.",
  named: true,
  run: async ({ log, reports }) => {
    const tests = reports === undefined ? listTests(filesOf(groups)) : passedTests(reports)
    for (const line of linesOf(groups)) log(line)
    const faults = faultsOf(groups, tests, proofs)
    if (faults.length > 0) throw new Error(faults.join("\n"))
    const cells = groups.flatMap(cellsOf)
    const reasons = cells.filter(({ cell }) => typeof cell === "string").length
    return `${cells.length / systems.length} promises, ${cells.length - reasons} cells with a test, ${reasons} with a reason`
  }
})
