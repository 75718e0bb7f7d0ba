/**
 * The benchmark as a command; `--help` says how it is used.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { help, type Options, readOptions } from "./options.ts"
import { makeProgress } from "./report/progress.ts"
import { toSvg } from "./report/svg.ts"
import { headline, workTable } from "./report/table.ts"
import { judge } from "./report/targets.ts"
import { run } from "./run.ts"

const write = async (path: string | undefined, text: string): Promise<void> => {
  if (path === undefined) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const measure = async (options: Options): Promise<void> => {
  const result = await run(options, makeProgress(), (results) =>
    console.log(`\n${workTable(results, options.contestants)}`)
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

/** The options, or undefined when all there is to say has been said. */
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
  // Said aloud, for the library of Postgres ends a process that simply ends with 0.
  process.exit(process.exitCode)
}
