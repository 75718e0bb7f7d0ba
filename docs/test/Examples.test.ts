import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { extract } from "../../scripts/blocks.ts"
import { bundleExamples } from "./bundling.ts"
import { expectedLines, runExample } from "./RunExample.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const examples = extract()

// With the declarations of the packages, which the build has made: their sources take three quarters of the time.
it("every TypeScript example type-checks", () => {
  const args = ["-b", "docs/tsconfig.examples.json", "--pretty", "false", "--singleThreaded"]
  let faults = ""
  try {
    execFileSync(`${root}node_modules/.bin/tsc`, args, { cwd: root, encoding: "utf8" })
  } catch (cause) {
    faults = String(Object(cause).stdout)
  }
  expect(faults).toBe("")
})

describe("the TypeScript example at", () => {
  const run = examples.filter(({ unrun }) => unrun === undefined)
  beforeAll(() => bundleExamples(run))

  for (const { code, path, places } of run) {
    it.concurrent(`${places.join(" and ")} runs and prints what it says`, async ({ expect }) => {
      const { exitCode, output } = await runExample({ code, path })
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.any(String) })
      for (const line of expectedLines(code)) expect(output.split("\n")).toContain(line)
    })
  }
})
