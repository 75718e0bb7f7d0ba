// Prints "N passed, N failed" from the JSON report of vitest. Succeeds when tests have run and none failed.
import { readFileSync } from "node:fs"

const read = () => {
  try {
    return JSON.parse(readFileSync(process.argv[2], "utf8"))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] }
  }
}

const { numFailedTests, numPassedTests, testResults } = read()

// A file that could not be loaded, or whose set-up failed, has no failed test of its own and counts as one.
const broken = testResults.filter(
  ({ assertionResults, status }) => status === "failed" && !assertionResults.some((test) => test.status === "failed")
)
const failed = numFailedTests + broken.length

console.log(`${numPassedTests} passed, ${failed} failed`)
process.exitCode = numPassedTests > 0 && failed === 0 ? 0 : 1
