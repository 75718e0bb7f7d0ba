import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { afterAll, describe, expect, it } from "vitest"
import { areas } from "../src/mutation/areas.ts"
import { equivalents } from "../src/mutation/equivalents.table.ts"
import { faultsOf, faultsOfRules, judgeAll, staleIn } from "../src/mutation/judge.ts"
import type { Mutant, Suite } from "../src/mutation/Mutant.ts"
import { openRunner } from "../src/mutation/MutantRunner.ts"
import { selected } from "../src/mutation/mutation.ts"
import { organisationPredicates } from "../src/mutation/organisationPredicates.ts"
import { control, withoutControl } from "../src/mutation/stryker.ts"

const folder = mkdtempSync(join(tmpdir(), "solar-sites-mutants-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const moduleOf = (text: string): string => {
  const path = join(mkdtempSync(join(folder, "module-")), "Module.ts")
  writeFileSync(path, text)
  return path
}

const suite: Suite = { project: "core", files: ["test/sites/Capacity"] }
const suiteBefore: Suite = { project: "core", files: ["test/input/DurationText"] }

const change = (replacement: string): Mutant => ({
  id: "a change",
  file: "packages/core/src/sites/Capacity.ts",
  line: 1,
  start: 0,
  end: 0,
  replacement
})

describe("the mutants of statements", () => {
  it("are one per organisation predicate and statement that holds it", () => {
    const file = moduleOf(`
      const own = "from site s where s.organisation_id = $1::uuid"
      const first = reading(client, "Sites.find", \`select s.id \${own} and s.id = $2\`)
      const second = writing(client, "Sites.delete", \`delete \${own}\`)
      const third = \`select from a join b on a.organisation_id = b.organisation_id\`
      const holds = (table) => \`exists (select from t where organisation_id = $1::uuid)\`
      const fourth = \`select \${holds("a")}\`
      const fifth = ["b", "c"].map((table) => holds(table)).join()
    `)
    expect(organisationPredicates([file]).map(({ id, operation }) => [id.replace(/^\S+ /, ""), operation])).toEqual([
      ["Sites.find: s.organisation_id = $1::uuid of own", "Sites.find"],
      ["Sites.delete: s.organisation_id = $1::uuid of own", "Sites.delete"],
      ["third: a.organisation_id = b.organisation_id", undefined],
      ["fourth: organisation_id = $1::uuid of holds", undefined],
      ["fifth: organisation_id = $1::uuid of holds", undefined]
    ])
  })

  it("change each form of a fragment that has the predicate, and no other", () => {
    const file = moduleOf(`
      const own = all ? "" : "where s.organisation_id = $1::uuid"
      const first = reading(client, "Sites.find", \`select from site s \${own}\`)
    `)
    const [mutant] = organisationPredicates([file])
    const changed = (own: unknown) => runInNewContext(mutant?.replacement ?? "", { own })
    expect(changed("where s.organisation_id = $1::uuid")).toBe("where (s.organisation_id = $1::uuid or true)")
    expect(changed("")).toBe("")
    class Text {
      readonly parts: ReadonlyArray<unknown>
      constructor(parts: ReadonlyArray<unknown>) {
        this.parts = parts
      }
    }
    const [table, own] = [{ is: "table", name: "site" }, "where s.organisation_id = $1::uuid"]
    expect(changed(new Text(["from ", table, own]))).toEqual(
      new Text(["from ", table, "where (s.organisation_id = $1::uuid or true)"])
    )
    expect(() => changed(new Text([own, table, own]))).toThrow("ambiguous")
  })

  it("refuse a comparison of an organisation that they cannot change", () => {
    const file = moduleOf('const odd = "select from site where organisation_id in ($1)"')
    expect(() => organisationPredicates([file])).toThrow("unknown comparison of an organisation")
  })

  it("have a name of their own and tests, and every listed one exists", () => {
    for (const { find, name, suitesOf } of areas) {
      const mutants = find()
      expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
      expect(mutants.filter((mutant) => suitesOf(mutant).length === 0)).toEqual([])
      expect(staleIn(mutants, equivalents[name] ?? {})).toEqual([])
    }
  })
})

describe("a path", () => {
  it("selects the mutants that have one of its texts in their name or file", () => {
    const at = (file: string, id: string): Mutant => ({ ...change(""), file, id })
    const [first, second, third] = [
      at("src/a/A.ts", "A.ts get"),
      at("src/b/B.ts", "B.ts get"),
      at("src/c/C.ts", "C.ts")
    ]
    const all = [first, second, third]
    expect(selected(all, "get")).toEqual([first, second])
    expect(selected(all, "src/c/, A.ts get")).toEqual([first, third])
    expect(selected(all, "D.ts")).toEqual([])
  })
})

describe("a change of a source", () => {
  it("is noticed by the test that fails, and otherwise fails the proof", async () => {
    await using runner = await openRunner(["core"])
    const suitesOf = () => [suiteBefore, suite]
    const [broken, same] = [change("throw new Error('broken')\n"), change("// the same\n")]
    // The second failure is not repeated without the change, and must not count for the third mutant.
    const [first, second, third] = await judgeAll({ suitesOf }, [broken, broken, same], runner)
    if (first === undefined || second === undefined || third === undefined) throw new Error("three judgements")
    expect(faultsOf([first, second], {})).toEqual([])
    expect(faultsOf([first], { "a change": "no reason" })).toEqual([
      expect.stringContaining("listed, but this test fails")
    ])
    expect(faultsOf([third], {})).toEqual(["a change: no test fails"])
    expect(faultsOf([third], { "a change": "nothing changes" })).toEqual([])
  })

  it("is not judged by tests that fail without it, nor by a statement that does not parse", async () => {
    const suitesOf = () => [suite]
    const failing = (message: string) => ({ run: () => Promise.resolve({ test: "a test", message }) })
    await expect(judgeAll({ suitesOf }, [change("")], failing("wrong"))).rejects.toThrow("Fails without a change")
    await expect(judgeAll({ suitesOf }, [change("")], failing("syntax error at"))).rejects.toThrow("a change")
    await expect(judgeAll({ suitesOf }, [change("")], failing("a is not a function"))).rejects.toThrow("a change")
  })

  it("is not judged by a time-out that comes without it, too", async () => {
    const [first, second] = [change("first"), change("second")]
    let isBusy = false
    const run = async (_: Suite, mutant: Mutant | undefined) => {
      isBusy ||= mutant === second
      if (mutant === undefined && !isBusy) return undefined
      return { test: "a test", message: "Test timed out in 45000ms." }
    }
    const suitesOf = () => [suite]
    const [judged] = await judgeAll({ suitesOf }, [first], { run })
    expect(judged?.noticedBy).toContain("timed out")
    await expect(judgeAll({ suitesOf }, [first, second], { run })).rejects.toThrow("Fails without a change")
  })

  it("is not noticed by a failure after the first suite that does not happen again", async () => {
    let runs = 0
    const failure = { test: "a test", message: "wrong" }
    const failsIn = (failing: Suite, times: number) => ({
      run: async (one: Suite, mutant: Mutant | undefined) => {
        if (one !== failing || mutant === undefined) return undefined
        runs += 1
        return runs <= times ? failure : undefined
      }
    })
    const noticed = async (runner: ReturnType<typeof failsIn>) => {
      runs = 0
      const [judged] = await judgeAll({ suitesOf: () => [suiteBefore, suite] }, [change("")], runner)
      return judged?.noticedBy !== undefined
    }
    expect(await noticed(failsIn(suite, 1))).toBe(false)
    expect(await noticed(failsIn(suite, 2))).toBe(true)
    expect(await noticed(failsIn(suiteBefore, 1))).toBe(true)
  })

  it("is listed only while it is in the sources", () => {
    expect(staleIn([], { "a change": "why" })).toEqual(["a change: listed, but not in the sources"])
  })
})

describe("mutants of StrykerJS", () => {
  const rule = (name: string, isNoticed: boolean) => ({ name, line: 1, isNoticed, isReached: true })

  it("are listed by their whole names, once each", () => {
    expect(faultsOfRules(["a → b", "a → b", "c → d"], ["a → b", "a → b", "c → d"])).toEqual([])
    expect(faultsOfRules(["a → b", "a → b"], ["a → b"])).toEqual(["a → b: no test fails for 2, and 1 are listed"])
    expect(faultsOfRules(["a → bc"], ["a → b"])).toHaveLength(2)
    expect(faultsOfRules([], ["a → b"])).toEqual(["a → b: 1 are listed, but 0 are in the sources and not noticed"])
  })

  it("count only when those of a known module have the known outcome", () => {
    const [own, killed] = [rule("A.ts", true), rule("MutationControl.ts BooleanLiteral", true)]
    const survivors = control.survivors.map((name) => rule(name, false))
    expect(withoutControl([own, killed, ...survivors])).toEqual([own])
    for (const wrong of [[own], [own, killed], [own, ...survivors], [killed, rule("A.ts", false)]])
      expect(() => withoutControl(wrong)).toThrow("StrykerJS judges a known module wrongly")
    const broken = survivors.map((one) => ({ ...one, isNoticed: true }))
    expect(() => withoutControl([own, killed, ...broken])).toThrow("Not noticed: none")
  })
})
