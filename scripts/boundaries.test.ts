import { describe, expect, it } from "vitest"
import { faultsOf } from "./boundaries.ts"

const packageJson = (name: string, ...entries: ReadonlyArray<string>) =>
  JSON.stringify({ name, exports: Object.fromEntries(entries.map((entry) => [entry, "./dist/index.js"])) })

const packages = {
  "packages/core/package.json": packageJson("@solar-sites/core", ".", "./model"),
  "packages/http-node/package.json": packageJson("@solar-sites/http-node", ".", "./contract", "./client"),
  "packages/testing/package.json": packageJson("@solar-sites/testing", "."),
  "apps/reference-server/package.json": packageJson("@solar-sites/reference-server", ".")
}

const judge = (files: Record<string, string>) => faultsOf(new Map(Object.entries({ ...packages, ...files })))

const core = "packages/core/src"
const http = "packages/http-node/src"

describe("boundaries", () => {
  it.each([
    [`${core}/sites/Sites.ts`, 'import { Effect } from "effect"\nimport { Page } from "../lists/Page.ts"'],
    [`${core}/api-keys/ApiKeySecret.ts`, 'import { hash } from "node:crypto"'],
    [`${core}/index.ts`, 'export * from "./model.ts"\nexport { Sites } from "./sites/Sites.ts"'],
    [
      "packages/adapter-postgres/src/PgClient.ts",
      'import postgres from "postgres"\nimport { Site } from "@solar-sites/core"'
    ],
    ["packages/adapter-postgres/src/pglite/lock.ts", 'import "@electric-sql/pglite"\nimport "node:sqlite"'],
    [`${http}/contract/SitesApi.ts`, 'import { Site } from "@solar-sites/core/model"\nimport "effect/http-api"'],
    [`${http}/client/Wire.ts`, 'import type { Site } from "@solar-sites/core/model"\nimport "../contract/index.ts"'],
    ["packages/testing/src/harness/Harness.ts", 'import { toWebHandler } from "@solar-sites/http-node"'],
    [
      "packages/core/test/Sites.test.ts",
      'import "vitest"\nimport "@solar-sites/testing"\nimport "../src/sites/Sites.ts"'
    ],
    ["packages/core/vitest.config.ts", 'import { project } from "../../vitest.shared.ts"'],
    ["packages/core/test/sites/Sites.test.ts", 'import { server } from "../../../../vitest.postgres.ts"'],
    [
      "apps/reference-server/src/main.ts",
      'import "@solar-sites/http-node"\nimport "@solar-sites/adapter-postgres/pglite"'
    ],
    ["benchmarks/src/run.ts", 'import "fastify"\nimport "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"']
  ])("lets %s import what the arrows allow", (path, text) => {
    const adapter = packageJson("@solar-sites/adapter-postgres", ".", "./pglite")
    expect(judge({ "packages/adapter-postgres/package.json": adapter, [path]: text })).toEqual([])
  })

  it.each([
    [`${core}/sites/Sites.ts`, 'import { HttpApi } from "effect/http-api"', "root of effect"],
    [`${core}/sites/Sites.ts`, 'import { hash } from "node:crypto"', "secrets and ids alone"],
    [`${core}/sites/Sites.ts`, 'import { aSite } from "@solar-sites/testing"', "root of effect"],
    [`${core}/sites/Sites.ts`, 'import type { Portfolio } from "../portfolios/Portfolio.ts"', "may not look at it"],
    [`${core}/sites/Sites.ts`, 'export { ApiKey } from "../api-keys/ApiKey.ts"', "beside api-keys"],
    [`${core}/organisations/Organisations.ts`, 'import "../caller/Caller.ts"', "organisations stands before"],
    [`${core}/sites/Sites.ts`, 'const load = () => import("../index.ts")', "may not look at it"],
    [`${core}/billing/Invoice.ts`, 'import "../input/Text.ts"', "billing has no place"],
    [`${core}/sites/Sites.ts`, 'import { it } from "../../test/fixtures.ts"', "sources import only sources"],
    [`${core}/sites/Sites.ts`, 'import { project } from "../../../../vitest.shared.ts"', "border of a package"],
    ["packages/adapter-postgres/src/PgClient.ts", 'import "@electric-sql/pglite"', "under pglite/"],
    ["packages/adapter-postgres/src/PgClient.ts", 'import "@solar-sites/http-node"', "its own driver"],
    ["packages/adapter-postgres/src/PgClient.ts", 'type Site = import("../../core/src/index.ts").Site', "border"],
    [`${http}/contract/SitesApi.ts`, 'import { Sites } from "@solar-sites/core"', "runs in a browser"],
    [`${http}/contract/SitesApi.ts`, 'import "../handlers/SitesHandlers.ts"', `stay in ${http}/contract/`],
    [`${http}/client/Wire.ts`, 'import "../handlers/SitesHandlers.ts"', `stay in ${http}/client/, ${http}/contract/`],
    [`${http}/client/Wire.ts`, 'import { Sites } from "@solar-sites/core"', "client runs in a browser"],
    [`${http}/server.ts`, 'import "@solar-sites/adapter-postgres"', "Effect's HTTP"],
    ["packages/testing/src/fixtures.ts", 'import { it } from "vitest"', "never on a test runner"],
    ["packages/testing/src/fixtures.ts", 'import "@solar-sites/http-node"', "for the harness alone"],
    ["packages/core/test/Sites.test.ts", 'import "@solar-sites/core/sites/Sites"', "no entry point"],
    ["packages/core/test/Sites.test.ts", 'import "@solar-sites/reference-server"', "no entry point"],
    ["packages/core/test/Sites.test.ts", 'import "../../testing/src/fixtures.ts"', "border of a package"],
    ["apps/reference-server/src/main.ts", 'import "@solar-sites/testing"', "testing is for tests"],
    ["packages/new/src/index.ts", 'import "effect"', "no row"]
  ])("refuses in %s: %s", (path, text, why) => {
    const faults = judge({ [path]: `// a line before\n${text}\n` })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(/^\S+:2 imports "[^"]+": /)
    expect(faults[0]).toContain(path)
    expect(faults[0]).toContain(why)
  })

  it("ignores imports in text", () => {
    const text = '// import "vitest"\nconst example = `import "vitest"`\n/* export * from "vitest" */'
    expect(judge({ [`${core}/sites/Sites.ts`]: text })).toEqual([])
  })

  it("keeps modules of Node out of the modules for browsers, indirect imports included", () => {
    const secret = { [`${core}/api-keys/ApiKeySecret.ts`]: 'import { hash } from "node:crypto"' }
    const model = { [`${core}/model.ts`]: 'export { ApiKey } from "./api-keys/ApiKey.ts"' }
    const apiKey = `${core}/api-keys/ApiKey.ts`
    expect(judge({ ...secret, ...model, [apiKey]: 'import type { Secret } from "./ApiKeySecret.ts"' })).toEqual([])
    expect(judge({ ...secret, ...model, [apiKey]: 'import { digest } from "./ApiKeySecret.ts"' })).toEqual([
      `${core}/api-keys/ApiKeySecret.ts:1 imports "node:crypto": ${core}/model.ts reaches it, and that is loaded in browsers`
    ])
  })

  it("refuses ambient time, randomness and settings, transactions of the driver, keys and package managers", () => {
    const key = ["sk", "live", "a".repeat(12)].join("_")
    const faults = judge({
      [`${core}/sites/Sites.ts`]: "const now = Date.now()\nconst dice = Math.random()\nconst home = process.env.HOME",
      "packages/adapter-postgres/src/PgClient.ts": "const answer = sql.begin((sql) => sql`select 1`)",
      "README.md": `Try ${key}`,
      "package.json": '{ "packageManager": "pnpm@10" }'
    })
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      `${core}/sites/Sites.ts:1`,
      `${core}/sites/Sites.ts:2`,
      `${core}/sites/Sites.ts:3`,
      "packages/adapter-postgres/src/PgClient.ts:1",
      "README.md:1",
      "package.json:1"
    ])
    expect(faults.join("\n")).not.toContain(key)
  })

  it("refuses an import of node:http that loads the module, and lets import types of it", () => {
    const path = "packages/http-node/src/pipeline/NodeBody.ts"
    expect(judge({ [path]: 'import type { IncomingMessage } from "node:http"' })).toEqual([])
    expect(judge({ [path]: 'import { type Server, request } from "node:http"' })).toEqual([
      expect.stringContaining("loads Node's fetch")
    ])
  })

  it("refuses a project that the root's tsconfig.json does not refer to", () => {
    const root = { "tsconfig.json": '{ "references": [{ "path": "packages/core" }] }' }
    const projects = { "packages/core/tsconfig.json": "{}", "packages/core/tsconfig.test.json": "{}" }
    expect(judge({ ...root, ...projects })).toEqual([
      "packages/core/tsconfig.test.json: the root's tsconfig.json does not refer to it"
    ])
  })

  it("refuses a TypeScript file of more than 250 lines, tests too", () => {
    const lines = (count: number) => "const x = 1\n".repeat(count)
    expect(judge({ "packages/core/test/a.test.ts": lines(250) })).toEqual([])
    expect(judge({ "packages/core/test/a.test.ts": lines(251) })).toEqual([
      "packages/core/test/a.test.ts has 251 lines: 250 are the most"
    ])
  })
})
