import { existsSync, globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))

const page = readFileSync(`${root}docs/security.md`, "utf8")

it("the page about security names every proof", () => {
  const proofs = readFileSync(`${root}docs/proofs.md`, "utf8").matchAll(/^\| \[`(\w+)`\]/gm)
  const promises = page.slice(page.indexOf("| Promise |"), page.indexOf("## Isolation"))
  const shown = [...promises.matchAll(/\| ([^|]+) \|$/gm)].flatMap(([, cell = ""]) => cell.split(/[;,] /))
  const names = [...proofs].map(([, name = ""]) => name)
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => !shown.includes(name))).toEqual([])
})

it("the page about security names tests that exist", () => {
  const named = [...page.matchAll(/`(?:[\w-]+\/)*([\w.]+\.test\.ts)`/g)].map(([, name = ""]) => name)
  const tests = globSync(["{packages,apps}/*/test/**/*.test.ts", "scripts/*.test.ts"], { cwd: root })
  const names = new Set(tests.map((path) => path.replace(/^.*[\\/]/, "")))
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !names.has(name))).toEqual([])
})

it("the checklist names files that exist", () => {
  const checklist = readFileSync(`${root}docs/security-checklist.md`, "utf8")
  const named = [...checklist.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = ""]) => name)
  const server = (name: string) => `apps/reference-server/${name.includes(".test.") ? "test" : "src"}/${name}`
  const isPresent = (name: string) => existsSync(root + (/^(docs|packages|apps)\//.test(name) ? name : server(name)))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((name) => !isPresent(name))).toEqual([])
})
