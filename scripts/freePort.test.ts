import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { describe, expect, it } from "vitest"
import { freePort } from "./freePort.ts"

/** First port that the system gives to connections. */
const firstOfSystem = (): number => {
  if (process.platform !== "linux") return 49_152
  return Number(readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/)[0])
}

describe("a free port", () => {
  it("can be listened on, and is none that the system gives to a connection", async () => {
    const port = await freePort()
    expect(port).toBeLessThan(firstOfSystem())
    const server = createServer().listen(port, "127.0.0.1")
    await once(server, "listening")
    server.close()
  })
})
