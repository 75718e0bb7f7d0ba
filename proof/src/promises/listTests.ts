/**
 * Tests by file and titles: as vitest lists them, or as reports of its runs name them.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** `file: titles` of each test, as `nameOf` makes it. */
export type Tests = ReadonlySet<string>

export const nameOf = (file: string, test: string): string => `${file}: ${test}`

/** Vitest runs the files, since suites are data, and starts the services that these look for. */
export const listTests = (files: ReadonlyArray<string>): Tests => {
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
