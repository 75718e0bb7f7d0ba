import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { parse } from "yaml"

// With a shell in between, pnpm reports ELIFECYCLE after Ctrl-C although the server has ended with
// 0.
it("Ctrl-C reaches the process of a script without a shell in between", () => {
  const settings: unknown = parse(readFileSync(new URL("../pnpm-workspace.yaml", import.meta.url), "utf8"))
  expect(settings).toMatchObject({ shellEmulator: true, preferSymlinkedExecutables: true })
})
