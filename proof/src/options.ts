/**
 * Options of the command line.
 */
import { randomInt } from "node:crypto"
import { parseArgs } from "node:util"
import type { Proof, ProofContext } from "./check.ts"

export interface Options extends Omit<ProofContext, "log"> {
  readonly proofs: ReadonlyArray<Proof>
  /** Time limit of one proof. */
  readonly minutes: number
}

// The short form of a proof takes less than a minute on a quiet machine.
const shortMinutes = 15
const longMinutes = 1_440

export const help = (
  all: ReadonlyArray<Proof>
): string => `Shows that the service keeps its promises, by models, fuzzing, faults and load.

  npx -y pnpm@10 proof [NAME …] [options]

Without a name it runs the short form of all proofs that are not marked with *.

  --long            the long form of the named proofs
  --seed N          repeats the steps of an earlier run (default: random, printed)
  --path PATH       repeats one failed case of that seed
  --runs N          number of sequences, requests or rounds, instead of the usual one
  --on NAME,…       targets of the proof
  --minutes N       time limit of each proof (default: ${shortMinutes}; of a long form ${longMinutes})
  --reports F,…     promises: reports of vitest instead of its list (reporter json)
  --help

Proofs:
${all
  .map(
    ({ name, named, targets, title }) =>
      `  ${`${name}${named ? " *" : ""}`.padEnd(16)}${title}${targets === undefined ? "" : `\n${" ".repeat(18)}--on ${targets.join(",")}`}`
  )
  .join("\n")}`

const wholeNumber = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} must be a whole number of at least 0.`)
  return value
}

const choose = (all: ReadonlyArray<Proof>, names: ReadonlyArray<string>): ReadonlyArray<Proof> => {
  if (names.length === 0) return all.filter(({ named }) => named !== true)
  return names.map((name) => {
    const proof = all.find((one) => one.name === name)
    if (proof === undefined) throw new Error(`There is no proof ${name}; see --help.`)
    return proof
  })
}

/** Undefined for `--help`. Throws an Error with a message for the user. */
export const readOptions = (all: ReadonlyArray<Proof>, args: ReadonlyArray<string>): Options | undefined => {
  const { positionals, values } = parseArgs({
    args: args.filter((arg) => arg !== "--"),
    allowPositionals: true,
    options: {
      long: { type: "boolean", default: false },
      seed: { type: "string" },
      path: { type: "string" },
      runs: { type: "string" },
      on: { type: "string" },
      minutes: { type: "string" },
      reports: { type: "string" },
      help: { type: "boolean", default: false }
    }
  })
  if (values.help) return undefined
  const proofs = choose(all, positionals)
  const on = values.on?.split(",").map((name) => name.trim())
  for (const { name, targets = [] } of on === undefined ? [] : proofs) {
    const unknown = on?.find((target) => !targets.includes(target))
    if (unknown !== undefined) throw new Error(`The proof ${name} has no target ${unknown}; see --help.`)
  }
  if (values.long && positionals.length === 0) throw new Error("--long needs the names of proofs; see --help.")
  return {
    proofs,
    long: values.long,
    minutes: wholeNumber("minutes", values.minutes) ?? (values.long ? longMinutes : shortMinutes),
    seed: wholeNumber("seed", values.seed) ?? randomInt(2 ** 31),
    path: values.path,
    runs: wholeNumber("runs", values.runs),
    on,
    reports: values.reports?.split(",")
  }
}
