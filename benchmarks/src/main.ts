/**
 * Command line of the benchmark; see `--help`.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { help, type Options, readOptions } from "./options.ts"
import { makeProgress } from "./report/progress.ts"
import { toSvg } from "./report/svg.ts"
import { headline, workloadTable } from "./report/table.ts"
import { judge } from "./report/targets.ts"
import { run } from "./run.ts"

const write = async (path: string | undefined, text: string): Promise<void> => {
  if (path === undefined) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const measure = async (options: Options): Promise<void> => {
  const result = await run(options, makeProgress(), (results) =>
    console.log(`\n${workloadTable(results, options.contestants)}`)
  )
  console.log(`\n${headline(result)}`)
  await write(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
  await write(options.svg, toSvg(result, headline(result)))
  if (!options.check) return
  const judgements = judge(result)
  console.log(
    `\n${judgements.map(({ reached, sentence }) => `${reached ? "reached" : "MISSED "}  ${sentence}`).join("\n")}`
  )
  if (judgements.some(({ reached }) => !reached)) process.exitCode = 1
}

/** The options; undefined after `--help` or an error. */
const options = (() => {
  try {
    const read = readOptions(process.argv.slice(2))
    if (read === undefined) console.log(help)
    return read
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
    return undefined
  }
})()

if (options !== undefined) {
  await measure(options).catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
  // Explicit, because the library of Postgres exits with 0 otherwise.
  process.exit(process.exitCode)
}
