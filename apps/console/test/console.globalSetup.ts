/** Finds the browser for a run, and creates a folder for the data of its servers. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** Path of chromium; empty without one. */
    readonly chromium: string
    readonly consolePrepared: string
  }
}

const findChromium = (): string => {
  // The headless shell is the same browser in half the time.
  const [found = ""] = spawnSync("which", ["chromium-headless-shell", "chromium"], { encoding: "utf8" }).stdout.split(
    "\n"
  )
  if (found !== "") return found
  const sentence = "Tests of the console need chromium, which is not installed"
  if (process.env["REQUIRE_SERVICES"] === "1") throw new Error(sentence)
  console.warn(`${sentence}: they are skipped`)
  return ""
}

export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "solar-sites-console-"))
  provide("chromium", findChromium())
  provide("consolePrepared", folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
