import type { OrganisationId } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { clientOf } from "./Client.ts"
import { runJson } from "./CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "./ExternalDatabase.ts"
import { type Key, operator } from "./Operator.ts"
import { redisProxy, type ServiceProxy, withoutRedis } from "./ServiceProxy.ts"
import { type Server, serve, stop, type Variables } from "./SolarSitesProcess.ts"

const burst = 10
const schemas = ownSchemas()

describe.skipIf(withoutPostgres || withoutRedis)("two servers on one database and one Redis", () => {
  let variables: Variables
  let redis: ServiceProxy
  let servers: ReadonlyArray<Server>
  let by: ReturnType<typeof operator>
  let organisation: OrganisationId

  const command = async (...args: ReadonlyArray<string>) => Object(await runJson(args, variables))
  const newKey = (owner = organisation) => by.createKey(owner)

  const ask = ({ key }: Key, { address }: Server) => fetch(`${address}/api/me`, { headers: { "x-api-key": key } })

  /** Result of the key on both servers: `ok` (also for 429), or the code of the problem. */
  const access = (key: Key) =>
    Promise.all(
      servers.map(async (server) => {
        const response = await ask(key, server)
        return response.ok || response.status === 429 ? "ok" : Object(await response.json()).code
      })
    )
  const untilAccess = (key: Key, expected: string, timeout: number) =>
    vi.waitFor(async () => expect(await access(key)).toEqual([expected, expected]), { timeout, interval: 25 })
  /** Retries with other keys: a busy machine can stall for longer than the tested second. */
  const retried = (attempt: () => Promise<void>) => vi.waitFor(attempt, { timeout: 150_000, interval: 50 })

  const redisState = async () =>
    Promise.all(servers.map(async ({ address }) => (await clientOf(address, "").readiness()).checks?.redis))
  const untilRedis = (state: "up" | "down") =>
    vi.waitFor(async () => expect(await redisState()).toEqual([state, state]), { timeout: 100_000, interval: 50 })

  /** Log lines about the loss and return of Redis, in order. */
  const linesOnRedis = (server: Server) =>
    server
      .logged()
      .split("\n")
      .slice(0, -1) // The last line may be incomplete.
      .flatMap((line) => {
        const text = /Redis (?:does not answer|answers again)/.exec(line)?.[0]
        return text === undefined ? [] : [{ text, timestamp: String(Object(JSON.parse(line)).timestamp) }]
      })

  beforeAll(async () => {
    redis = await redisProxy()
    variables = { ...schemas.next(), REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: `${burst}` }
    servers = await Promise.all([serve(variables, ["--migrate"]), serve(variables, ["--migrate"])])
    by = operator(variables)
    organisation = await by.createOrganisation()
  })

  afterAll(async () => {
    for (const { code } of await Promise.all(servers.map(stop))) expect(code).toBe(0)
    await redis.stop()
    await schemas.drop()
  })

  it("allow exactly the burst in total, and send the policy", async () => {
    /** Decisions taken in process, because Redis was slow on a busy machine. */
    const fallbacks = async () => {
      const pages = await Promise.all(servers.map(async ({ address }) => (await fetch(`${address}/metrics`)).text()))
      return pages.map((page) => /^solar_sites_rate_limiter_fallbacks_total (\d+)$/m.exec(page)?.[1])
    }
    const round = async () => {
      await untilRedis("up")
      const before = await fallbacks()
      // A new organisation per round, since its limit is ten times that of a key.
      const key = await newKey(await by.createOrganisation())
      const answers = await Promise.all(
        Array.from({ length: 2 * burst }, () => servers.map((server) => ask(key, server))).flat()
      )
      expect(await fallbacks()).toEqual(before)
      const statuses = answers.map(({ status }) => status)
      // One more request is allowed every 6 s; a longer round is repeated.
      expect(statuses.filter((status) => status === 200)).toHaveLength(burst)
      expect(statuses.filter((status) => status === 429)).toHaveLength(3 * burst)
      return answers
    }
    const answers = await vi.waitFor(round, { timeout: 90_000, interval: 50 })
    expect(answers[0]?.headers.get("ratelimit-policy")).toBe(`"key";q=${burst};w=60`)
  })

  it("refuse within a second a key that a command deletes, or rotates without overlap", async () => {
    await retried(async () => {
      const [deleted, rotated] = await Promise.all([newKey(), newKey()])
      for (const key of [deleted, rotated]) expect(await access(key)).toEqual(["ok", "ok"])
      await command("api-keys", "delete", deleted.id)
      await untilAccess(deleted, "api_key_invalid", 1_000)
      await command("api-keys", "rotate", rotated.id, "--overlap", "0s")
      await untilAccess(rotated, "api_key_expired", 1_000)
    })
  })

  it("refuse within a second the keys of a deactivated organisation, and accept them when it is active", async () => {
    await retried(async () => {
      const owner = await by.createOrganisation()
      const [key, bystander] = await Promise.all([newKey(owner), newKey()])
      expect(await access(key)).toEqual(["ok", "ok"])
      await command("organisations", "deactivate", owner)
      await untilAccess(key, "organisation_inactive", 1_000)
      await command("organisations", "activate", owner)
      await untilAccess(key, "ok", 1_000)
      expect(await access(bystander)).toEqual(["ok", "ok"])
    })
  })

  it("work while Redis is frozen, report it, and share limits again afterwards", async () => {
    const key = await newKey()
    await untilRedis("up")
    redis.freeze()
    const frozen = await Promise.all(servers.map((server) => ask(key, server)))
    expect(frozen.map(({ status }) => status)).toEqual([200, 200])
    await untilRedis("down")
    for (const server of servers) expect(await clientOf(server.address, "").readiness()).toMatchObject({ status: "up" })
    redis.thaw()
    await untilRedis("up")
  })

  it("refuse a deleted key within ten seconds without Redis; the command works without it", async () => {
    const key = await newKey()
    await redis.stop()
    await untilRedis("down")
    expect(await access(key)).toEqual(["ok", "ok"])
    const gone = new Date().toISOString()
    expect(await command("api-keys", "delete", key.id)).toMatchObject({ id: key.id })
    // The command takes a few milliseconds, so the ten seconds of the servers end as these do. A last request follows.
    await untilAccess(key, "api_key_invalid", 11_000)
    const back = new Date().toISOString()
    await redis.start()
    await untilRedis("up")
    expect(await access(key)).toEqual(["api_key_invalid", "api_key_invalid"])
    for (const server of servers) {
      const lines = linesOnRedis(server)
      expect(lines.filter(({ timestamp }) => gone < timestamp && timestamp < back)).toEqual([])
      expect(lines[0]?.text).toBe("Redis does not answer")
      // On a busy machine Redis may be lost before; each loss is logged once.
      for (const [index, { text }] of lines.entries()) expect(text).not.toBe(lines[index + 1]?.text)
      expect(server.logged()).not.toContain(key.key)
    }
  })
})
