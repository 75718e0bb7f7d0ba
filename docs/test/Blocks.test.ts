import { expect, it } from "vitest"
import { blocks, blocksOf, pages, placeOf, readPage } from "../../scripts/blocks.ts"

const all = blocks()

it("finds blocks, their places, what they print and why they are not run", () => {
  const text =
    "# A\n\n```ts\none()\n```\n\nIt prints `1`.\n\n<!-- not run: it costs money -->\n\n````sh title\n```\n````\n"
  expect(blocksOf("a.md", text)).toEqual([
    { page: "a.md", line: 3, language: "ts", code: "one()\n", unrun: undefined, prints: "1" },
    { page: "a.md", line: 11, language: "sh", code: "```\n", unrun: "it costs money", prints: undefined }
  ])
})

it("every block begins where a line does, so that none is overlooked", () => {
  for (const page of pages)
    expect({ page, hidden: readPage(page).match(/^[ >*-]+`{3,}.*$/gm) }).toEqual({ page, hidden: null })
})

it("every language is one that some test runs or checks", () => {
  // ts: Examples.test.ts; json, sql: Data.test.ts; sh: Examples.integration.test.ts of the reference server;
  // diff: siteField.test.ts of the scripts.
  const known = ["ts", "json", "sql", "sh", "diff"]
  expect(all.filter(({ language, unrun }) => unrun === undefined && !known.includes(language)).map(placeOf)).toEqual([])
})

it("no shell block holds a comment, since zsh passes a pasted comment on as arguments", () => {
  const commented = all.filter(({ code, language }) => language === "sh" && /(^|\s)#/m.test(code))
  expect(commented.map(placeOf)).toEqual([])
})

it("no sample holds a syntax that the oldest Node we promise cannot read", () => {
  const samples = all.filter(({ code, language }) => language === "ts" && /^\s*(await )?using \w+ =/m.test(code))
  expect(samples.map(placeOf)).toEqual([])
})

it("a page that says what to install names all that its examples import", () => {
  const packageOf = (specifier: string) => /^(@[^/]+\/)?[^/@]+/.exec(specifier)?.[0]
  const missing = pages.flatMap((page) => {
    const own = all.filter((block) => block.page === page)
    const commands = own.flatMap(({ code, language }) => (language === "sh" ? code.split("\n") : []))
    const installed = commands.flatMap((line) => (line.startsWith("npm install") ? line.split(" ").map(packageOf) : []))
    const imported = own.flatMap(({ code, language }) =>
      language === "ts" ? [...code.matchAll(/ from "([^".][^"]*)"/g)].map(([, specifier = ""]) => specifier) : []
    )
    const unnamed = imported.filter((from) => !from.startsWith("node:") && !installed.includes(packageOf(from) ?? ""))
    return installed.length === 0 ? [] : unnamed.map((from) => `${page}: ${from}`)
  })
  expect([...new Set(missing)]).toEqual([])
})

it("the first pages set each variable before they use it", () => {
  for (const page of ["README.md", "docs/start.md"]) {
    const shell = all.filter((block) => block.page === page && block.language === "sh")
    const known = new Set(["HOME"])
    for (const { code } of shell) {
      for (const { groups } of code.matchAll(
        /(?:^|[\s;])(?<set>[A-Z]+)=|\bfor (?<each>\w+) in|\$\{?(?<used>[A-Z]\w*)/gm
      )) {
        const { each, set, used } = groups ?? {}
        if (used === undefined) known.add(set ?? each ?? "")
        else expect([...known], `${page}: ${used}`).toContain(used)
      }
    }
  }
})

it("few blocks are not run, each for a reason that is written beside it", () => {
  const unrun = all.filter(({ unrun }) => unrun !== undefined && !/\.test\.ts runs it$/.test(unrun))
  console.log(unrun.map((block) => `not run: ${placeOf(block)}: ${block.unrun}`).join("\n"))
  expect(unrun.length).toBeLessThanOrEqual(16)
  for (const { unrun: reason = "" } of unrun) expect(reason.split(" ").length).toBeGreaterThanOrEqual(4)
})
