/**
 * Ports for servers that a test starts, and may stop and start again.
 */
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

// Below the ports that systems give to connections and to servers without a port of their own. One of
// these can take such a port while its server is down, and a connection to the port even finds itself.
const [first, last] = [10_000, 32_000]
const attempts = 100

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  try {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    return true
  } catch {
    return false
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

/** A port of this machine that is free at the moment, at random. */
export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(first, last)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port among ${attempts} between ${first} and ${last}.`)
}
