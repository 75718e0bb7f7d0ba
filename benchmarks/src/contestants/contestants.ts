/**
 * The servers that are compared, and their command lines.
 */
import { fileURLToPath } from "node:url"

export interface Contestant {
  readonly name: string
  readonly title: string
  readonly arguments: () => Promise<ReadonlyArray<string>>
  /** Needs a collector of traces and metrics, and Redis where it is installed. */
  readonly observed?: true
  /**
   * Returns the same bytes as the reference server. The others were written for the first model.
   */
  readonly followsModel?: true
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const source = (path: string) => async () => [pathOf(path)]

/** Node does not run decorators, so this source is compiled first. */
const compiled = (path: string, name: string) => async () => {
  const { build } = await import("esbuild")
  const outfile = pathOf(`../../node_modules/.cache/contestants/${name}.mjs`)
  await build({
    entryPoints: [pathOf(path)],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node24",
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } }
  })
  return [outfile]
}

/** The command line of the reference server, with the flags of its start script. */
export const solarSites = [
  "--max-semi-space-size=16",
  "--conditions=@solar-sites/source",
  pathOf("../../../apps/reference-server/src/main.ts")
]

const reference = async () => [...solarSites, "serve"]

/** The first one is the limit, to which all others are compared. */
export const contestants: ReadonlyArray<Contestant> = [
  {
    name: "limit",
    title: "the limit: node:http, postgres.js",
    arguments: source("./limit/rows.ts"),
    followsModel: true
  },
  {
    name: "limit-json",
    title: "the limit, JSON by Postgres",
    arguments: source("./limit/json.ts"),
    followsModel: true
  },
  { name: "solar-sites", title: "Solar Sites", arguments: reference, followsModel: true },
  {
    name: "solar-sites-observed",
    title: "Solar Sites, observed",
    arguments: reference,
    observed: true,
    followsModel: true
  },
  {
    name: "fastify-drizzle",
    title: "Fastify, Drizzle",
    arguments: source("./fastify-drizzle/main.ts"),
    followsModel: true
  },
  { name: "hono-kysely", title: "Hono, Kysely", arguments: source("./hono-kysely/main.ts") },
  { name: "express-sequelize", title: "Express, Sequelize", arguments: source("./express-sequelize/main.ts") },
  { name: "nest-typeorm", title: "Nest, TypeORM", arguments: compiled("./nest-typeorm/main.ts", "nest-typeorm") }
]
