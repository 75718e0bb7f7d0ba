/**
 * The servers that are compared, and their command lines.
 */
import { fileURLToPath } from "node:url"
import type { Workload } from "../workloads.ts"

export interface Contestant {
  readonly name: string
  readonly title: string
  readonly arguments: ReadonlyArray<string>
  /** Needs a collector of traces and metrics, and Redis where it is installed. */
  readonly observed?: true
  /** Names of the workloads that it cannot do. */
  readonly leavesOut?: ReadonlyArray<string>
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The command line of the reference server, with the flags of its start script. */
export const solarSites = [
  "--max-semi-space-size=16",
  "--conditions=@solar-sites/source",
  pathOf("../../../apps/reference-server/src/main.mjs")
]

const reference = [...solarSites, "serve"]
const leavesOut = ["approve", "move-many"]

/** The first one is the limit, to which all others are compared. */
export const contestants: ReadonlyArray<Contestant> = [
  { name: "limit", title: "the limit: node:http, postgres.js", arguments: [pathOf("./limit/main.ts")] },
  { name: "solar-sites", title: "Solar Sites", arguments: reference },
  { name: "solar-sites-observed", title: "Solar Sites, observed", arguments: reference, observed: true },
  {
    name: "fastify-drizzle",
    title: "Fastify, Drizzle",
    arguments: [pathOf("./fastify-drizzle/main.ts")],
    leavesOut
  },
  {
    name: "express-sequelize",
    title: "Express, Sequelize",
    arguments: [pathOf("./express-sequelize/main.ts")],
    leavesOut
  }
]

export const takesPart = ({ leavesOut = [] }: Contestant, { name }: Workload): boolean => !leavesOut.includes(name)
