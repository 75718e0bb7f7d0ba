/**
 * One Postgres server for all test files of a run. `inject("postgresUrl")` gives
 * its address, or an empty text when there is none.
 */
import type { TestProject } from "vitest/node"
import { findServer } from "./EmbeddedPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await findServer()
  project.provide("postgresUrl", server?.url ?? "")
  return async () => server?.stop()
}
