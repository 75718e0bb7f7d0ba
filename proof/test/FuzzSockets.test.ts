import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { faultsOfRaw, rawRequest } from "../src/fuzz/RawRequests.ts"

/** Faults that a server has which gives every connection this status. */
const faultsAlways = async (status: number): Promise<ReadonlyArray<string>> => {
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.end(`HTTP/1.1 ${status} x\r\n\r\n`))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const found: Array<string> = []
  for (const request of fc.sample(rawRequest, { seed: 1, numRuns: 200 })) {
    found.push(...(await faultsOfRaw(`http://127.0.0.1:${port}`, "key", request)))
  }
  await new Promise((resolve) => server.close(resolve))
  return found
}

describe("the proof fuzz, on sockets", () => {
  it("finds a server that answers all with 500", async () => {
    expect((await faultsAlways(500)).filter((fault) => fault.endsWith("status 500"))).toHaveLength(200)
  })

  it("finds a server that accepts what is no HTTP, and one that refuses what is", async () => {
    expect(await faultsAlways(200)).toContain("two lengths: status 200, expected invalid")
    expect(await faultsAlways(400)).toContain("chunks: status 400, expected valid")
  })
})
