import { TooManyApiKeys } from "@solar-sites/core"
import { expect, it } from "vitest"
import { toFailure } from "../../src/Refusals.ts"

it("tells an operator how to make room for a key", () => {
  expect(toFailure(new TooManyApiKeys({ maximum: 100 })).message).toBe(
    "The organisation has 100 live API keys, the maximum; delete one first, or rotate with --overlap 0s."
  )
})
