/** What the compiler says about common mistakes: one line, without members that have no effect. */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const folder = fileURLToPath(new URL(`../.examples.errors/${crypto.randomUUID()}/`, import.meta.url))
const source = `${folder}mistakes.ts`

const header = `
import { type DocumentStorage, SolarSites, type SolarSitesServices } from "@solar-sites/core"
import { makeClient } from "@solar-sites/http-node/client"
import { toNodeListener, toWebHandler } from "@solar-sites/http-node"
import type { Layer } from "effect"
declare const database: Layer.Layer<SolarSitesServices.DatabasePorts>
declare const storage: Layer.Layer<DocumentStorage>
const solar = SolarSites.make({ database, storage })
const { documents, portfolios, sites, webhooks } = solar.as({ organisationId: "o", userId: null })
const client = makeClient({ baseUrl: "http://solar.test", apiKey: "k" })
`

const swapped = { database: "Postgres.layer({ url })", storage: "S3.layer({ bucket, region })" }
const isNoAdapter = (role: keyof typeof swapped) => `"must be an adapter such as ${swapped[role]}"`

/** Each mistake is a line of its own. */
const mistakes: ReadonlyArray<readonly [code: string, ...said: ReadonlyArray<string>]> = [
  ["SolarSites.make({ database: storage, storage: database })", isNoAdapter("database"), isNoAdapter("storage")],
  ["toWebHandler({ database: storage, storage: database })", isNoAdapter("database"), isNoAdapter("storage")],
  ["toNodeListener({ database, storage: database })", isNoAdapter("storage")],
  ['sites.create({ siteName: "A", unit: "kW" })', "Property 'capacity' is missing"],
  ['client.sites.create({ siteName: "A", unit: "kW" })', "Property 'capacity' is missing"],
  ['sites.create({ siteName: "A", capacity: 1, unit: "kW", colour: 1 })', "'colour' does not exist"],
  ['sites.update("s", { colour: 1 })', "'colour' does not exist"],
  ['portfolios.create({ title: "A" })', "'title' does not exist"],
  ['webhooks.create({ url: "https://a.example", event: [] })', "'event' does not exist"],
  ['documents.changeStatus("d", { file: "a" })', "'file' does not exist"]
]

const accepted = `
export const sentBack = async () => {
  const site = await sites.get("s")
  await sites.update(site.id, site)
  await sites.update(site.id, { ...site, siteName: "B" })
  await sites.create({ ...site, portfolioId: null })
  await documents.changeStatus("d", { ...(await documents.get("d")), note: "as built" })
}
`

const begin = header.split("\n").length

describe("the compiler", () => {
  let errors: ReadonlyArray<{ readonly line: number; readonly text: string }>
  beforeAll(async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(source, [header, ...mistakes.map(([code]) => code), accepted].join("\n"))
    const program = ts.createProgram([source], {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      customConditions: ["@solar-sites/source"],
      types: ["node"],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2024,
      lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"]
    })
    const file = program.getSourceFile(source)
    errors = program.getSemanticDiagnostics(file).map(({ messageText, start = 0 }) => ({
      line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) - begin,
      text: ts.flattenDiagnosticMessageText(messageText, "\n")
    }))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(mistakes.map(([code, ...said], line) => ({ code, line, said })))(
    "says in one line: $code",
    ({ line, said }) => {
      const found = errors.filter((error) => error.line === line).map(({ text }) => text)
      expect(found).toEqual(said.map((part) => expect.stringContaining(part)))
      for (const text of found) {
        expect(text).not.toMatch(/siteCount|\bid\?:/)
        // TypeScript 5 says of an argument that a member is missing in a second line.
        expect(text.split("\n").length).toBeLessThanOrEqual(text.includes("is missing") ? 2 : 1)
      }
    }
  )

  it("accepts what was read, and knows no other mistake", () => {
    expect(errors.filter(({ line }) => line < 0 || line >= mistakes.length)).toEqual([])
  })
})
