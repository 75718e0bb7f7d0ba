/**
 * One Postgres server for all test files of a run. `inject("postgresUrl")` gives
 * its address, or an empty text when there is none.
 */
import type { TestProject } from "vitest/node"
import { type SharedService, shareService } from "../../../vitest.services.ts"
import { findServer, type TestServer } from "./EmbeddedPostgres.ts"

declare global {
  var sharedPostgres: SharedService<TestServer> | undefined
}

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.sharedPostgres ??= shareService(findServer)
  const { release, use } = globalThis.sharedPostgres
  project.provide("postgresUrl", (await use())?.url ?? "")
  return release
}
