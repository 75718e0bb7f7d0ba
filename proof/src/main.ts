/**
 * Command line of the proofs; see `--help`. Exits with 1 when one failed, with 2 for wrong options.
 */

import { amplification } from "./amplification/amplification.ts"
import { endsWithin, type Proof } from "./check.ts"
import { driver } from "./driver/driver.ts"
import { faults } from "./faults/faults.ts"
import { fuzz } from "./fuzz/fuzz.ts"
import { load } from "./load/load.ts"
import { model } from "./model/model.ts"
import { mutation } from "./mutation/mutation.ts"
import { help, type Options, readOptions } from "./options.ts"
import { promisesOf } from "./promises/promises.ts"
import { storage } from "./storage/storage.ts"
import { timing } from "./timing/timing.ts"

const others: ReadonlyArray<Proof> = [model, driver, storage, faults, fuzz, amplification, timing, load, mutation]

/** In the order in which they run. */
const proofs: ReadonlyArray<Proof> = [...others, promisesOf(others)]

const secondsSince = (start: number): string => `${((performance.now() - start) / 1_000).toFixed(1)} s`

const runAll = async ({ minutes, proofs: chosen, ...options }: Options): Promise<void> => {
  console.log(`seed ${options.seed}; the same steps again: --seed ${options.seed}`)
  const start = performance.now()
  const failed: Array<string> = []
  for (const { name, run, title } of chosen) {
    console.log(`\n── ${name}: ${title}`)
    const started = performance.now()
    try {
      const figures = await endsWithin(minutes, run({ ...options, log: (line) => console.log(`   ${line}`) }))
      console.log(`held   ${name}: ${figures} (${secondsSince(started)})`)
    } catch (error) {
      failed.push(name)
      console.error(error instanceof Error ? (error.stack ?? error.message) : error)
      console.error(`FAILED ${name} (${secondsSince(started)})`)
    }
  }
  const held = chosen.length - failed.length
  console.log(`\n${held} of ${chosen.length} proofs held in ${secondsSince(start)}`)
  if (failed.length > 0) console.log(`failed: ${failed.join(", ")}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** The options; undefined after `--help` or an error. */
const options = (() => {
  try {
    const read = readOptions(proofs, process.argv.slice(2))
    if (read === undefined) console.log(help(proofs))
    return read
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
    return undefined
  }
})()

if (options !== undefined) {
  await runAll(options)
  // Explicit, since a target that does not end must not hold the command.
  process.exit(process.exitCode)
}
