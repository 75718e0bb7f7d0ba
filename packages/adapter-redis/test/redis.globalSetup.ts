/**
 * One Redis server per run: at `REDIS_TEST_URL`, or started here. `inject("redis")`
 * has its address, and whether tests can start servers to kill and freeze.
 */
import type { TestProject } from "vitest/node"
import { isInstalled, startRedis } from "./RedisServer.ts"

declare module "vitest" {
  export interface ProvidedContext {
    redis: { readonly url: string | null; readonly installed: boolean }
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const installed = await isInstalled()
  const given = process.env["REDIS_TEST_URL"] || null
  if (!installed) {
    const which = given === null ? "Tests against Redis" : "Tests that kill or freeze Redis"
    if (process.env["REQUIRE_SERVICES"] === "1") throw new Error(`${which} need redis-server, which is not installed`)
    console.warn(`${which} are skipped: redis-server is not installed`)
  }
  const own = given === null && installed ? await startRedis() : undefined
  project.provide("redis", { url: given ?? own?.url ?? null, installed })
  return async () => own?.stop()
}
