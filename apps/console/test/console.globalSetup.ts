/** Finds the browser for a run, and makes the data that its servers copy. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"
import { findChromium } from "./findChromium.ts"
import { reportName } from "./PreparedData.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Path of chromium; empty without one. */
    readonly chromium: string
    readonly consolePrepared: string
  }
}

const chromiumOfRun = (): string => {
  const found = findChromium()
  if (found !== "") return found
  const sentence = "Tests of the console need chromium, which is not installed"
  if (process.env["REQUIRE_SERVICES"] === "1") throw new Error(sentence)
  console.warn(`${sentence}: they are skipped`)
  return ""
}

const script = fileURLToPath(new URL("prepareOrganisations.ts", import.meta.url))
const compiled = fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url))

/** Makes the data while the server is bundled and the workers start. Returns how to stop. */
const prepare = (folder: string): (() => Promise<void>) => {
  const flags = ["--conditions=@solar-sites/source", "--liftoff-only"]
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled }
  const child = spawn(process.execPath, [...flags, script, folder], { env, stdio: ["ignore", "ignore", "pipe"] })
  let faults = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    faults += text
  })
  const ended = once(child, "close").then(([code]) => {
    if (code !== 0) writeFileSync(join(folder, reportName), JSON.stringify({ fault: faults }))
  })
  return async () => {
    child.kill()
    await ended
  }
}

export default function setup({ provide }: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "solar-sites-console-"))
  const chromium = chromiumOfRun()
  const stop = chromium === "" ? async () => {} : prepare(folder)
  provide("chromium", chromium)
  provide("consolePrepared", folder)
  return async () => {
    await stop()
    // Servers and browsers of the ended workers may still write. `rmSync` then leaves files, without an error.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
