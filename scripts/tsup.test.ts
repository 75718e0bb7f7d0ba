import { describe, expect, it } from "vitest"
import { nodeCheck, withModulesOfEffect } from "../tsup.shared.ts"

describe("the build", () => {
  it.each([
    ['import { Effect } from "effect"', 'import * as Effect from "effect/Effect";'],
    [
      'import { type Context, Effect as Fx, Layer } from "effect"',
      'import * as Fx from "effect/Effect"; import * as Layer from "effect/Layer";'
    ],
    [
      'import { Effect, flow } from "effect"',
      'import * as Effect from "effect/Effect"; import { flow } from "effect/Function";'
    ],
    ['import {\n  HttpApi,\n  OpenApi\n} from "effect/http-api"', /^import \* as HttpApi .*OpenApi";\n\n\n$/]
  ])("imports from the modules of Effect one by one: %j", (source, built) => {
    expect(withModulesOfEffect(source)).toEqual(typeof built === "string" ? built : expect.stringMatching(built))
  })

  it.each([
    'import type { Effect } from "effect"',
    'import * as TestClock from "effect/testing/TestClock"',
    'import { Sites } from "@solar-sites/core"',
    "const text = 'import { Effect } from \"effect\"'",
    'export * from "effect"'
  ])("leaves the rest as it is: %s", (source) => {
    expect(withModulesOfEffect(source)).toBe(source)
  })
})

describe("the check of the version of Node", () => {
  const run = (engines: string, version: string | undefined) =>
    new Function("globalThis", nodeCheck(engines))({
      process: version === undefined ? undefined : { versions: { node: version } }
    })

  it.each(["20.19.5", "22.18.9", "18.0.0"])("refuses %s in one sentence", (version) => {
    const shown = version.split(".").slice(0, 2).join(".")
    expect(() => run(">=22.19", version)).toThrow(
      `Solar Sites needs Node 22.19 or later; this is Node ${shown}. Install a newer one.`
    )
  })

  it.each(["22.19.0", "22.20.1", "24.0.0", "100.1.0", undefined])("accepts %s", (version) => {
    expect(() => run(">=22.19", version)).not.toThrow()
  })

  it("is empty for a package without such a version", () => {
    expect(nodeCheck()).toBe("")
  })
})
