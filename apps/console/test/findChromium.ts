/** The browser of tests and measurements, with its library. */
import { spawnSync } from "node:child_process"

export { type Browser, chromium, type Page } from "playwright-core"

/** Path of an installed chromium; empty without one. The headless shell is the same browser in half the time. */
export const findChromium = (): string => {
  const { stdout } = spawnSync("which", ["chromium-headless-shell", "chromium"], { encoding: "utf8" })
  return stdout.split("\n")[0] ?? ""
}
