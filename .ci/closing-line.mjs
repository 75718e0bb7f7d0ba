// Prints "N passed, N failed", the sum of the named JSON reports of vitest. Succeeds when tests have run in each of
// them and none failed.
import { readFileSync } from "node:fs"

const unread = { numPassedTests: 0, numFailedTests: 0, testResults: [], success: false }

const read = (path) => {
  try {
    return { ...unread, ...JSON.parse(readFileSync(path, "utf8")) }
  } catch {
    return unread
  }
}

const countOf = ({ numFailedTests, numPassedTests, success, testResults }) => {
  // A file that could not be loaded, or whose set-up failed, has no failed test of its own and counts as one.
  const broken = testResults.filter(
    ({ assertionResults, status }) => status === "failed" && !assertionResults.some((test) => test.status === "failed")
  )
  const failed = numFailedTests + broken.length
  // A run that left no report, or ran no test, counts as one.
  const isMissing = failed === 0 && (!success || numPassedTests === 0)
  return { passed: numPassedTests, failed: isMissing ? 1 : failed }
}

const counts = process.argv.slice(2).map((path) => countOf(read(path)))
const sum = (name) => counts.reduce((total, count) => total + count[name], 0)

console.log(`${sum("passed")} passed, ${sum("failed")} failed`)
process.exitCode = counts.length > 0 && sum("failed") === 0 ? 0 : 1
