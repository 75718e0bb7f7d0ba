/**
 * Two server processes on one Postgres, one Redis behind a network with faults, and one folder.
 */

import { layerPortsWith, PgClient } from "@solar-sites/adapter-postgres"
import * as Redis from "@solar-sites/adapter-redis"
import { SolarSites } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { accountTables } from "../../../../apps/reference-server/src/accounts/AccountTables.ts"
import { type Server, stop } from "../../../../apps/reference-server/test/SolarSitesProcess.ts"
import { startRedis } from "../../../../packages/adapter-redis/test/RedisServer.ts"
import { withoutBackgroundWork } from "../../../../packages/testing/src/harness/BackgroundWork.ts"
import { freePort } from "../../../../scripts/freePort.ts"
import { type Deployment, deploy } from "../../Deployment.ts"
import { openNetwork } from "../../Network.ts"
import { operatorOf } from "./Console.ts"
import type { Place, Target } from "./Target.ts"

/**
 * Promised are a second with Redis, ten without; the rest is for a busy machine. The short form runs
 * beside other tests, on machines of any kind.
 */
const revocation = {
  short: { with: 20_000, without: 40_000 },
  long: { with: 3_000, without: 12_000 }
}

/** Until the servers have found Redis again. */
const reconnectionMillis = 15_000

const startServers = async (deployment: Deployment) => {
  const ports = [await freePort(), await freePort()]
  const start = (index: number) => deployment.start({ PORT: String(ports[index]) })
  const servers: Array<Server> = await Promise.all(ports.map((_, index) => start(index)))
  const at = (index: number): Server => {
    const found = servers[index]
    if (found === undefined) throw new Error(`there is no server ${index}`)
    return found
  }
  return {
    at,
    kill: async (index: number) => {
      at(index).kill("SIGKILL")
      await at(index).finished
      servers[index] = await start(index)
    },
    stop: () => Promise.all(servers.map(stop))
  }
}

export const instances = async (form: "short" | "long"): Promise<Place> => {
  const revocationMillis = revocation[form]
  const redis = await startRedis()
  const network = await openNetwork(Number(new URL(redis.url).port))
  const redisUrl = `redis://127.0.0.1:${network.port}`
  const deployment = await deploy({ REDIS_URL: redisUrl, CONSOLE: "true" })
  const servers = await startServers(deployment)
  // An operator beside the servers, as with the command line: its changes reach them over Redis.
  const scope = Scope.makeUnsafe()
  const layer = MemoryAdapters.layer.pipe(
    Layer.merge(layerPortsWith({ tables: accountTables })),
    Layer.merge(Redis.layer({ url: Redacted.make(redisUrl) })),
    Layer.provideMerge(PgClient.layer({ url: Redacted.make(deployment.databaseUrl), queryTimeout: "30 seconds" }))
  )
  const ports = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  // The servers alone sweep: the operator's storage is an empty memory.
  const solarSites = SolarSites.make(Layer.succeedContext(withoutBackgroundWork(ports)))
  let turn = 0
  let cutUntil = Number.NEGATIVE_INFINITY
  const isRedisThere = () => performance.now() > cutUntil

  const target: Target = {
    servers: 2,
    revocationMillis: () => (isRedisThere() ? revocationMillis.with : revocationMillis.without),

    solarSites,
    ...(await operatorOf(ports, scope)),
    fetch: (toRequest, server) => fetch(toRequest(servers.at(server).address)),
    file: fetch,
    now: Date.now,
    restart: () => servers.kill(turn++ % 2),
    kill: servers.kill,
    setRedis: async (isThere) => {
      cutUntil = isThere ? Math.min(cutUntil, performance.now() + reconnectionMillis) : Number.POSITIVE_INFINITY
      return isThere ? network.accept() : network.refuse()
    },
    close: async () => target.setRedis?.(true)
  }
  return {
    make: async () => target,

    close: async () => {
      await solarSites.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await servers.stop()
      await network.close()
      await redis.stop()
      await deployment.close()
    }
  }
}
