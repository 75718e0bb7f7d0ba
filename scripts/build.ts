/**
 * Builds every package and application: JavaScript by tsup, declarations by tsc. Prints the sizes;
 * fails above the limits of `sizes.table.ts`.
 */
import { projects, run } from "./run.ts"
import { faultsOf, lineOf, sizesOf } from "./sizes.ts"

const failed = projects.filter((project) => !run("tsup", [], { cwd: project })).map((project) => `${project}: tsup`)
// The pages of the console are built into the server that serves them.
const pages = ["build.ts", "../reference-server/dist/console"]
if (!run(process.execPath, pages, { cwd: "apps/console" })) failed.push("apps/console: vite")
if (!run("tsc", ["-b", "--singleThreaded", ...projects])) failed.push("tsc")

if (failed.length === 0) {
  const sizes = await sizesOf(projects)
  for (const size of sizes) console.log(lineOf(size))
  failed.push(...faultsOf(sizes))
}

if (failed.length > 0) {
  console.error(`build failed:\n${failed.join("\n")}`)
  process.exitCode = 1
}
