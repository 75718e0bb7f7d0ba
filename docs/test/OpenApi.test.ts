import { mkdir, rm, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { SolarSitesApi } from "@solar-sites/http-node/contract"
import { OpenApi } from "effect/http-api"
import openapiTypeScript, { astToString } from "openapi-typescript"
import ts from "typescript"
import { afterAll, expect, it } from "vitest"

const document = JSON.stringify(OpenApi.fromApi(SolarSitesApi))

const folder = fileURLToPath(new URL(`../.examples.openapi/${crypto.randomUUID()}/`, import.meta.url))
afterAll(() => rm(folder, { recursive: true, force: true }))

it("has no faults in the eyes of Redocly", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // The service is no single address: the document is served by each installation.
      "no-server-example.com": "off",
      // `/api/portfolios/with-sites` stands beside `/api/portfolios/{id}`, whose id is a UUID.
      "no-ambiguous-paths": "off",
      // What needs no key has nothing to refuse.
      "operation-4xx-response": "off"
    }
  })
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config })
  expect(problems.map(({ location, message, ruleId }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

const use = `
import type { components, paths } from "./api.ts"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const holds = <T extends true>(): T | undefined => undefined

type Site = components["schemas"]["Site"]
holds<Equal<Site["id"], string>>()
holds<Equal<Site["portfolioId"], string | null>>()
holds<Equal<Site["createdAt"], string>>()
holds<Equal<Site["unit"], "W" | "kW" | "MW" | "GW" | "Wp" | "kWp" | "MWp" | "GWp">>()
holds<Equal<paths["/api/sites/{id}"]["get"]["parameters"]["path"]["id"], string>>()

type NewSite = paths["/api/sites"]["post"]["requestBody"]["content"]["application/json"]
export const site: NewSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MW", portfolioId: null }
// @ts-expect-error a unit that there is not
export const wrong: NewSite = { siteName: "Long Meadow", capacity: 1.2, unit: "hp" }

type Selection = paths["/api/portfolios/{id}/sites"]["post"]["requestBody"]["content"]["application/json"]
export const selections: ReadonlyArray<Selection> = [{ siteIds: ["a"] }, { siteId: "a" }]
// @ts-expect-error neither of them
export const nothing: Selection = {}

export const idsOf = (
  answer: paths["/api/sites"]["get"]["responses"]["200"]["content"]["application/json"]
): ReadonlyArray<string> => answer.data.map(({ id }) => id)

export const codeOf = (
  problem: paths["/api/sites"]["post"]["responses"]["404"]["content"]["application/problem+json"]
): string => problem.code
`

it("makes a client in strict TypeScript, which knows every id", async () => {
  const types = astToString(await openapiTypeScript(document))
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}api.ts`, types)
  await writeFile(`${folder}use.ts`, use)
  const program = ts.createProgram([`${folder}use.ts`], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022
  })
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
  expect(faults).toEqual([])
  // Only members that are ignored, changes in events, and the document itself may hold anything.
  const unknowns = types.split("\n").filter((line) => line.includes("unknown"))
  expect(
    unknowns.filter(
      (line) => !/(?:readonly \w+|omRecordId)\?: unknown;|(?:from|to): unknown;|\[\w+: string\]: unknown;/.test(line)
    )
  ).toEqual([])
})
