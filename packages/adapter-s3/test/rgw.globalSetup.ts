/**
 * One S3 server for all test files of a run. `inject("s3Server")` is the server
 * or null.
 */
import type { TestProject } from "vitest/node"
import { findServer, type S3Server } from "./CephRgw.ts"

declare module "vitest" {
  export interface ProvidedContext {
    s3Server: S3Server | null
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = await findServer()
  project.provide("s3Server", running?.server ?? null)
  return async () => running?.stop()
}
