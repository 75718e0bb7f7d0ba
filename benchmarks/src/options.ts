/**
 * Options of the command line.
 */
import { parseArgs } from "node:util"
import { type Contestant, contestants } from "./contestants/contestants.ts"
import { type Workload, workloads } from "./workloads.ts"

export interface Options {
  readonly large: boolean
  readonly seconds: number
  readonly connections: number
  readonly rounds: number
  readonly workloads: ReadonlyArray<Workload>
  readonly contestants: ReadonlyArray<Contestant>
  readonly json: string | undefined
  readonly svg: string | undefined
  readonly check: boolean
  /** Folder for a CPU profile of each contestant. */
  readonly profile: string | undefined
}

const named = (all: ReadonlyArray<{ readonly name: string; readonly title: string }>): string =>
  all.map(({ name, title }) => `      ${name.padEnd(22)}${title}`).join("\n")

export const help = `npx -y pnpm@10 bench [OPTION …]

Runs the reference server and its peers in turns on one Postgres, and prints what each came to.

  --large               beside a million sites of a thousand other organisations
  --seconds N           how long each measurement takes (default 3)
  --rounds N            how often each is measured; medians are printed (default 3)
  --connections N       how many requests are under way at a time (default 50)
  --only WORKLOAD,…     leaves out all other workloads
  --contestants NAME,…  leaves out all others; the limit is always there
  --json FILE           writes every figure
  --svg FILE            draws them
  --profile FOLDER      writes what V8 sampled in each contestant, for src/profile.ts or a browser
  --check               compares with the targets; ends with 1 when one is missed
  --help

  Workloads:
${named(workloads)}

  Contestants:
${named(contestants)}

npx -y pnpm@10 bench NAME runs another benchmark, such as soak. A wrong NAME prints all names.
BENCH_LOGS=1 shows what the contestants write to standard error.`

const choose = <A extends { readonly name: string }>(all: ReadonlyArray<A>, asked: string | undefined, always?: A) => {
  if (asked === undefined) return all
  const names = asked.split(",").map((name) => name.trim())
  const unknown = names.filter((name) => all.every((one) => one.name !== name))
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}; see --help.`)
  return all.filter((one) => one === always || names.includes(one.name))
}

const positive = (name: string, text: string): number => {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new Error(`--${name} must be a number greater than 0.`)
  return value
}

/** Undefined for `--help`. Throws an Error with a message for the user. */
export const readOptions = (args: ReadonlyArray<string>): Options | undefined => {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== "--"),
    options: {
      large: { type: "boolean", default: false },
      seconds: { type: "string", default: "3" },
      rounds: { type: "string", default: "3" },
      connections: { type: "string", default: "50" },
      only: { type: "string" },
      contestants: { type: "string" },
      json: { type: "string" },
      svg: { type: "string" },
      check: { type: "boolean", default: false },
      profile: { type: "string" },
      help: { type: "boolean", default: false }
    }
  })
  if (values.help) return undefined
  return {
    large: values.large,
    seconds: positive("seconds", values.seconds),
    rounds: Math.ceil(positive("rounds", values.rounds)),
    connections: Math.ceil(positive("connections", values.connections)),
    workloads: choose(workloads, values.only),
    contestants: choose(contestants, values.contestants, contestants[0]),
    json: values.json,
    svg: values.svg,
    check: values.check,
    profile: values.profile
  }
}
