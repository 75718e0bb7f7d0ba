/** A folder per run for `prepared`: `inject("preparedFolder")`. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    preparedFolder: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-prepared-"))
  project.provide("preparedFolder", folder)
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
