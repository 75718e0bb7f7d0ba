/**
 * One S3 server for all test files of a run. `inject("s3Server")` is the server
 * or null.
 */
import type { TestProject } from "vitest/node"
import { type SharedService, shareService } from "../../../vitest.services.ts"
import { findServer, type RunningServer, type S3Server } from "./CephRgw.ts"

declare global {
  var sharedRgw: SharedService<RunningServer> | undefined
}

declare module "vitest" {
  export interface ProvidedContext {
    s3Server: S3Server | null
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.sharedRgw ??= shareService(findServer)
  const { release, use } = globalThis.sharedRgw
  project.provide("s3Server", (await use())?.server ?? null)
  return release
}
