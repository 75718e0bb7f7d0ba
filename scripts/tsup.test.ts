import { describe, expect, it } from "vitest"
import { withModulesOfEffect } from "../tsup.shared.ts"

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
