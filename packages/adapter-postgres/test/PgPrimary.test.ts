import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { PgOwnClient } from "../src/client/PgDriver.ts"
import { PgFailure } from "../src/client/PgErrors.ts"
import { renewingPool } from "../src/client/PgPool.ts"
import { followPrimary } from "../src/client/PgPrimary.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const cluster = "7710993452143373744"
const [poolSize, connectMillis] = [2, 5_000]

/** A server. `never` is a promise without an answer, as of a host that swallows everything. */
const makeHost = (name: string, first: Partial<{ state: string; timeline: string | undefined }> = {}) => {
  const server = { state: "primary", timeline: "00000001" as string | undefined, lost: 0, ...first }
  const clients: Array<{ close: () => void; isEnded: boolean }> = []
  const statements: Array<string> = []

  const answer = async (text: string): Promise<unknown> => {
    const { state, timeline } = server
    if (state === "silent") return new Promise(() => {})
    if (server.lost-- > 0) throw new PgFailure("terminated", "57P01")
    if (state === "down") throw new PgFailure("connection refused", "ECONNREFUSED")
    if (text.startsWith("show ")) return state === "primary" ? "off" : "on"
    if (text.includes("pg_walfile_name")) {
      if (timeline === undefined) throw new PgFailure("permission denied", "42501")
      return `${timeline} ${cluster}`
    }
    statements.push(text)
    if (state === "standby" && text.startsWith("insert")) throw new PgFailure("read-only", "25006")
    return name
  }

  const open = (onClose: () => void): PgOwnClient => {
    const client = { close: onClose, isEnded: false }
    clients.push(client)
    return {
      options: { max: poolSize },
      unsafe: (text) => ({
        values: async () => {
          if (client.isEnded) throw new PgFailure("destroyed", "CONNECTION_DESTROYED")
          return [[await answer(text)]]
        }
      }),
      end: async () => {
        client.isEnded = true
      }
    }
  }
  /** Ends all connections, as a server that stops. */
  const fail = (state: string) => {
    server.state = state
    for (const { close } of clients) close()
  }
  return { host: { name, open }, server, clients, statements, fail }
}

const follow = (hosts: ReadonlyArray<ReturnType<typeof makeHost>>, timelines = new Map<string, string>()) => {
  const client = followPrimary(
    hosts.map(({ host }) => host),
    { poolSize, connectMillis, timelines }
  )
  const outcome = { value: undefined as unknown, millis: 0 }
  /** The value of a statement, or the message of its failure; undefined while there is no answer. */
  const begin = (text = "insert") => {
    const own = { ...outcome }
    const started = performance.now()
    const run = async () => {
      await client.ready?.()
      const [[value] = []] = await client.unsafe(text).values()
      return value
    }
    void run()
      .catch((cause: unknown) => (cause as PgFailure).message) // A fake fails with nothing else.
      .then((value) => Object.assign(own, { value, millis: performance.now() - started }))
    return own
  }
  const send = async (text?: string, within = 0) => {
    const own = begin(text)
    await vi.advanceTimersByTimeAsync(within)
    return own.value
  }
  return { begin, client, send }
}

const after = (millis: number) => vi.advanceTimersByTimeAsync(millis)

const aPair = () => [makeHost("a"), makeHost("b", { state: "standby" })] as const

describe("a client with several hosts", () => {
  it("sends statements to the primary, reads too, and keeps no connection to the standby", async () => {
    const [a, b] = aPair()
    const { send } = follow([b, a])
    expect([await send(), await send("select"), await send()]).toEqual(["a", "a", "a"])
    expect(b.statements).toEqual([])
    expect(b.clients.map(({ isEnded }) => isEnded)).toEqual([true])
    expect(a.clients).toHaveLength(1)
  })

  it("asks the same connections again when one of them is lost, and a restarted standby gets no read", async () => {
    const [a, b] = aPair()
    const { send } = follow([a, b])
    await send()
    a.fail("primary")
    expect(await send("select")).toBe("a")
    expect(a.clients.map(({ isEnded }) => isEnded)).toEqual([false])
    a.fail("standby")
    expect(await send("select")).toBe("no host accepts writes; a: read-only; b: read-only")
    expect(a.statements).toEqual(["insert", "select"])
  })

  it("finds the primary when all of its connections are lost", async () => {
    const [a, b] = aPair()
    const { send } = follow([a, b])
    await send()
    a.fail("primary")
    a.server.lost = poolSize
    expect(await send("select")).toBe("a")
    expect(a.clients).toHaveLength(1)
  })

  it("follows a promotion, and refuses statements until then", async () => {
    const [a, b] = aPair()
    const { send } = follow([a, b])
    await send()
    a.fail("down")
    const refused = "no host accepts writes; a: connection refused; b: read-only"
    expect([await send(), await send("select")]).toEqual([refused, refused])
    await after(60_000)
    expect(await send()).toBe(refused)
    Object.assign(b.server, { state: "primary", timeline: "00000002" })
    await after(200)
    expect(await send()).toBe("b")
    expect(a.clients.every(({ isEnded }) => isEnded)).toBe(true)
  })

  it("leaves all connections to a primary that refuses a write", async () => {
    const [a, b] = aPair()
    const { send } = follow([a, b])
    await send()
    a.server.state = "standby"
    expect(await send()).toBe("read-only")
    Object.assign(b.server, { state: "primary", timeline: "00000002" })
    expect(await send()).toBe("b")
    expect(a.clients.every(({ isEnded }) => isEnded)).toBe(true)
  })

  it("follows a promotion while the primary is silent, and ends the statements there", async () => {
    const [a, b] = aPair()
    const { begin, send } = follow([a, b])
    await send()
    a.server.state = "silent"
    const lost = begin()
    await after(10_000)
    expect(lost.value).toBeUndefined()
    Object.assign(b.server, { state: "primary", timeline: "00000002" })
    await after(1_300)
    expect(await send()).toBe("b")
    expect(a.clients.map(({ isEnded }) => isEnded)).toContain(true)
  })

  it("stays when a statement is only slow", async () => {
    const [a, b] = aPair()
    const { begin, send } = follow([a, b])
    await send()
    a.server.state = "silent"
    begin()
    a.server.state = "primary"
    await after(60_000)
    expect(await send()).toBe("a")
    expect(a.clients.map(({ isEnded }) => isEnded)).toEqual([false])
    // Once a second.
    expect(b.clients.length).toBeLessThanOrEqual(61)
  })

  it("waits a second for a host that is silent, and no longer", async () => {
    const [a, b] = [makeHost("a", { state: "silent" }), makeHost("b", { state: "standby" })]
    const { send } = follow([a, b])
    expect(await send("select", 999)).toBeUndefined()
    expect(await send("select", 1)).toBe("no host accepts writes; b: read-only")
    b.server.state = "primary"
    await after(500)
    expect(await send("select")).toBe("b")
  })
})

describe("two hosts that accept writes", () => {
  it("are told apart by their timelines, and the former primary is never followed again", async () => {
    const [a, b] = [makeHost("a"), makeHost("b", { timeline: "0000000A" })]
    const timelines = new Map<string, string>()
    const { send } = follow([a, b], timelines)
    expect(await send()).toBe("b")
    b.fail("down")
    const refused = "a: former primary, on the earlier timeline 00000001"
    expect(await send()).toContain(refused)
    // After the pool replaced its connections, too.
    expect(await follow([a, b], timelines).send()).toContain(refused)
    b.server.state = "primary"
    await after(200)
    expect(await send()).toBe("b")
  })

  it.each([["00000001"], [undefined]])("of one timeline (%s) do not take turns", async (timeline) => {
    const [a, b] = [makeHost("a", { state: "standby", timeline }), makeHost("b", { timeline })]
    const { send } = follow([a, b])
    await send()
    a.server.state = "primary"
    b.fail("primary")
    expect([await send(), await send()]).toEqual(["b", "b"])
  })
})

describe("a pool whose client has to find its server", () => {
  it("does not send a statement that was abandoned meanwhile", async () => {
    const [a, b] = [makeHost("a", { state: "silent" }), makeHost("b")]
    const pool = renewingPool(() => follow([a, b]).client, { schema: "solar" })
    const [kept, left] = [1, 2].map((count) => pool.send({ operation: "test", text: `insert ${count}` }))
    kept?.rows.catch(() => {})
    left?.rows.catch(() => {})
    left?.abandon()
    await after(100)
    expect(b.statements).toHaveLength(1)
    expect(b.statements[0]).toContain("insert 1")
    await pool.end({ timeout: 1 })
    await expect(follow([a, b]).client.end({ timeout: 1 })).resolves.toBeUndefined()
    expect(b.clients.every(({ isEnded }) => isEnded)).toBe(true)
  })
})
