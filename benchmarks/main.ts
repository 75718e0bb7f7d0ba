/**
 * `npx -y pnpm@10 bench [NAME]`: the benchmark in the folder NAME; without a name the comparison with other servers.
 */
import { globSync } from "node:fs"
import { dirname } from "node:path"

const names = globSync("*/main.ts", { cwd: import.meta.dirname })
  .map((path) => dirname(path))
  .filter((name) => name !== "src")
  .sort()
const [name = "", ...rest] = process.argv.slice(2).filter((argument) => argument !== "--")

if (names.includes(name)) {
  // Benchmarks read their own options alone.
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...rest)
  await import(`./${name}/main.ts`)
} else if (name === "" || name.startsWith("--")) {
  await import("./src/main.ts")
} else {
  console.error(`There is no benchmark ${name}. Without a name the servers are compared; others: ${names.join(", ")}`)
  process.exitCode = 2
}
