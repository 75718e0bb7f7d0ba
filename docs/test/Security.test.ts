import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))

it("the page about security names tests that exist", () => {
  const page = readFileSync(`${root}docs/security.md`, "utf8")
  const named = [...page.matchAll(/`(?:[\w-]+\/)*([\w.]+\.test\.ts)`/g)].map(([, name = ""]) => name)
  const tests = globSync(["{packages,apps}/*/test/**/*.test.ts", "scripts/*.test.ts"], { cwd: root })
  const names = new Set(tests.map((path) => path.replace(/^.*[\\/]/, "")))
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !names.has(name))).toEqual([])
})
