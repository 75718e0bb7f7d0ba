/** Codes of problems and faults that the console can meet have a text in each language but English. */
import { describe, expect, it } from "vitest"
import { readRepository } from "./repository.ts"

/** Of requests that no page of the console makes. */
const elsewhere = ["network_failed", "timed_out", "token_invalid"]

/** Codes that pages give to sentences of the server, which has none for them. */
const ofPages = ["import_ended"]

const sources = /^(packages\/(core|http-node)|apps\/reference-server)\/src\/.*\.ts$/

/** The forms in which the sources write codes. */
const written = [
  /\b(?:code|faultCode): (?:"|[^"\n]* \? ")([a-z]+(?:_[a-z]+)*)"/g,
  /\b(?:fault|UnreadableTable)\("([a-z_]+)"/g,
  /\brefuse\([^"\n]*(?:"\w+", )?"([a-z]+_[a-z_]+)"/g,
  /\bproblem\(\s*\d+,\s*"([a-z_]+)"/g
]

/** The rows of the tables of problems: that of the contract, and that of the console's endpoints. */
const tables = ["packages/http-node/src/contract/Problems.ts", "apps/reference-server/src/console/ConsoleProblems.ts"]
const row = /^ {2}([a-z_]+): \[/gm

const files = readRepository()
const catalogue = /^apps\/console\/src\/texts\/(?!en\/)(\w+)\/server\.ts$/
const languages = [...files.keys()].flatMap((path) => catalogue.exec(path)?.[1] ?? [])

const problems = tables.flatMap((path) => [...(files.get(path) ?? "").matchAll(row)].map(([, code = ""]) => code))

const found = [...files]
  .filter(([path]) => sources.test(path))
  .flatMap(([, text]) => written.flatMap((form) => [...text.matchAll(form)].map(([, code = ""]) => code)))

const codes = new Set([...problems, ...found].filter((code) => !elsewhere.includes(code)))

it("the sources are read", () => {
  expect([...codes]).toEqual(
    expect.arrayContaining([
      "malformed_json",
      "shutting_down",
      "login_failed",
      "too_long",
      "extra_cell",
      "portfolio_ambiguous"
    ])
  )
})

describe.each(languages)("the catalogue %s", (language) => {
  it("has a text for each code of the server, and for no other", async () => {
    const module: { readonly serverTexts: Record<"faults" | "problems", object> } = await import(
      `../apps/console/src/texts/${language}/server.ts`
    )
    const { faults, problems } = module.serverTexts
    expect([...new Set([...Object.keys(faults), ...Object.keys(problems)])].toSorted()).toEqual(
      [...codes, ...ofPages].toSorted()
    )
  })
})
