/**
 * Who takes part, and how each is started.
 */
import { fileURLToPath } from "node:url"

export interface Contestant {
  readonly name: string
  readonly title: string
  readonly arguments: () => Promise<ReadonlyArray<string>>
  /** Wants a collector of traces and metrics, and Redis where it is installed. */
  readonly observed?: true
  /** Answers the same bytes as the reference server; the others were written for an earlier model. */
  readonly followsModel?: true
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const source = (path: string) => async () => [pathOf(path)]

/** Decorators are no JavaScript yet: what uses them is compiled before it is started. */
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

/** The first is what all others are measured by. */
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
