import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const passed = { assertionResults: [{ status: "passed" }], status: "passed" }
const broken = { assertionResults: [], status: "failed" }

describe("the last line of the gate", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-sites-reports-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Last line and exit code for reports of these contents. */
  const judge = async (...reports: ReadonlyArray<object | string>) => {
    const own = mkdtempSync(join(folder, "reports-"))
    const paths = reports.map((report, index) => {
      const path = join(own, `${index}.json`)
      writeFileSync(path, typeof report === "string" ? report : JSON.stringify(report))
      return path
    })
    return promisify(execFile)(process.execPath, [".ci/closing-line.mjs", ...paths]).then(
      ({ stdout }) => [stdout, 0],
      ({ code, stdout }) => [stdout, code]
    )
  }

  const green = { numPassedTests: 40, numFailedTests: 0, success: true, testResults: [passed] }

  it("adds the tests of all reports", async () => {
    expect(await judge(green, { ...green, numPassedTests: 2 })).toEqual(["42 passed, 0 failed\n", 0])
  })

  it("counts failed tests of each report", async () => {
    const red = { ...green, numFailedTests: 2, success: false }
    expect(await judge(green, red)).toEqual(["80 passed, 2 failed\n", 1])
    expect(await judge(red, green)).toEqual(["80 passed, 2 failed\n", 1])
  })

  it("counts a file that could not be loaded", async () => {
    const report = { ...green, success: false, testResults: [passed, broken, broken] }
    expect(await judge(green, report)).toEqual(["80 passed, 2 failed\n", 1])
  })

  it.each([
    ["has no report", ""],
    ["has half a report", '{ "numPassedTests": 40, "success": true'],
    ["has run no test", { ...green, numPassedTests: 0 }],
    ["did not succeed", { ...green, success: false }]
  ])("counts a run that %s as one failure", async (_, report) => {
    const [line, code] = await judge(report, green)
    expect(line).toMatch(/^(40|80) passed, 1 failed\n$/)
    expect(code).toBe(1)
  })

  it("is no success without a report", async () => {
    expect(await judge()).toEqual(["0 passed, 0 failed\n", 1])
  })
})
