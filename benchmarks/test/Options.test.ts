import { assert, describe, it } from "vitest"
import { contestants } from "../src/contestants/contestants.ts"
import { help, readOptions } from "../src/options.ts"
import { makeKey } from "../src/services/database/fixture.ts"
import { workloads } from "../src/workloads.ts"

describe("the command line", () => {
  it("selects workloads and contestants, and always the limit", () => {
    const options = readOptions(["--only", "create, list", "--contestants", "solar-sites"])
    assert.deepStrictEqual(
      options?.workloads.map(({ name }) => name),
      ["list", "create"]
    )
    assert.deepStrictEqual(
      options?.contestants.map(({ name }) => name),
      ["limit", "solar-sites"]
    )
  })

  it.for([
    [["--only", "lists"], /no lists/],
    [["--contestants", "limit,rails"], /no rails/],
    [["--seconds", "0"], /--seconds/],
    [["--rounds", "x"], /--rounds/],
    [["--fast"], /--fast/]
  ] as const)("refuses %j", ([args, message]) => {
    assert.throws(() => readOptions(args), message)
  })

  it("lists all workloads and contestants in its help", () => {
    assert.strictEqual(readOptions(["--help"]), undefined)
    for (const { name, title } of [...workloads, ...contestants])
      assert.match(help, new RegExp(`${name} +${title.slice(0, 5)}`))
  })
})

describe("the workloads", () => {
  const site = (n: number) => `site-${n}`
  const own = { siteIds: Array.from({ length: 1_000 }, (_, n) => site(n)), portfolioIds: ["even", "odd"] }
  const place = { ...own, organisationId: "organisation", key: makeKey() }
  const fixture = {
    reader: place,
    writer: place,
    mover: place,
    others: [{ ...place, documentIds: [] }],
    freshKeys: [makeKey()]
  }

  it("that a contestant leaves out exist", () => {
    const names = workloads.map(({ name }) => name)
    for (const { leavesOut = [] } of contestants) assert.includeMembers(names, [...leavesOut])
  })

  it.for(["update", "update-apart"])("change a site with each request of %s", (named) => {
    const update = workloads.find(({ name }) => name === named)
    const bodies = Array.from({ length: 5_000 }, (_, n) => update?.request(fixture, n).body)
    assert.strictEqual(new Set(bodies).size, bodies.length)
  })

  it("move every site to another portfolio", () => {
    const at = own.siteIds.map((_, n) => own.portfolioIds[n % 2])
    const move = workloads.find(({ name }) => name === "move")
    for (let n = 0; n < 5_000; n++) {
      const { body = "", path } = move?.request(fixture, n) ?? { path: "" }
      const index = Number(path.slice(path.lastIndexOf("-") + 1))
      const { portfolioId } = JSON.parse(body)
      assert.notStrictEqual(at[index], portfolioId, `request ${n}`)
      at[index] = portfolioId
    }
  })
})
