import { connect, type Socket } from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { failImportsOf } from "./FailingImports.ts"
import { useMember } from "./Serving.ts"
import { type Binding, nodeBinding, webBinding } from "./Setup.ts"

const { setup } = useMember()

/** One listener for the file: it compresses the page, which takes half a second, once. */
let node: Awaited<ReturnType<typeof nodeBinding>>
beforeAll(async () => {
  node = await nodeBinding(setup().ports)
})
afterAll(() => node.close())

const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Uint8Array) => Buffer.from(bytes) }

it("load the page again after a failure", async () => {
  const binding = await nodeBinding(setup().ports)
  const status = async () => (await binding.send(new Request(`${binding.base}/docs`))).status
  let failed = 0
  {
    using _ = failImportsOf("/ApiReference.ts")
    failed = await status()
  }
  expect([failed, await status()]).toEqual([500, 200])
  await binding.close()
})

describe.each(["the fetch handler", "the Node listener"])("shared documents, through %s", (name) => {
  let binding: Binding
  beforeAll(() => {
    binding = name === "the Node listener" ? node : webBinding(setup().ports)
  })
  afterAll(() => (binding === node ? undefined : binding.close()))

  /** Asks without the decoding that `fetch` does by itself. */
  const get = async (path: string, headers: Record<string, string>, method = "GET") => {
    const response = await binding.send(new Request(`${binding.base}${path}`, { method, headers }))
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
  }

  it.each(["/docs", "/openapi.json"])("have one entity tag per content coding: %s", async (path) => {
    const tags = await Promise.all(
      ["br, gzip", "gzip;q=1.0, br;q=0", "identity"].map(async (accepted) => {
        const { headers, status } = await get(path, { "accept-encoding": accepted })
        expect([status, headers.get("vary")]).toEqual([200, "Accept-Encoding"])
        return headers.get("etag")
      })
    )
    // Frameworks that pass on the answer of the fetch handler may drop its content coding.
    const codings = name === "the Node listener" ? ["br", "gzip", "identity"] : ["identity", "identity", "identity"]
    expect(tags.map((tag) => tag?.split("-").at(-1))).toEqual(codings.map((coding) => `${coding}"`))
    const again = await get(path, { "accept-encoding": "br" })
    expect(again.headers.get("etag")).toBe(tags[0])
  })

  it.each(["/docs", "/openapi.json"])("are not sent again to a client that has them: %s", async (path) => {
    const { headers } = await get(path, { "accept-encoding": "br" })
    const etag = headers.get("etag") ?? ""
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await get(path, { "accept-encoding": "br", "if-none-match": known })
      expect([answer.status, answer.bytes.length, answer.headers.get("etag")]).toEqual([304, 0, etag])
    }
    const other = await get(path, { "accept-encoding": "gzip", "if-none-match": etag })
    expect(other.status).toBe(name === "the Node listener" ? 200 : 304)
  })

  it("forbid frames, and scripts of other origins, in the reference", async () => {
    const { headers } = await get("/docs", {}, "HEAD")
    expect(headers.get("content-security-policy")).toMatch(/script-src 'sha256-[^']+' 'sha256-[^']+'; /)
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(headers.get("x-frame-options")).toBe("DENY")
  })
})

/** All that a server sends to one request, as it comes over the socket. */
const rawAnswer = (port: number, request: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    connect(port, "127.0.0.1")
      .on("data", (chunk) => chunks.push(chunk))
      .on("error", reject)
      .on("close", () => resolve(Buffer.concat(chunks)))
      .write(request)
  })

const bodyOf = (answer: Buffer): Buffer => answer.subarray(answer.indexOf("\r\n\r\n") + 4)

const requestFor = (path: string, coding: string, connection: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\naccept-encoding: ${coding}\r\nconnection: ${connection}\r\n\r\n`

describe("shared documents, on a socket", () => {
  it.each(["/docs", "/openapi.json"])("say the same in every coding: %s", async (path) => {
    const texts = await Promise.all(
      (["br", "gzip", "identity"] as const).map(async (coding) => {
        const body = bodyOf(await rawAnswer(node.port, requestFor(path, coding, "close")))
        return decode[coding](body).toString("utf8")
      })
    )
    expect(new Set(texts).size).toBe(1)
  })

  it("hold no memory per client that never reads them", async () => {
    const used = () => {
      const { arrayBuffers, heapUsed } = process.memoryUsage()
      return arrayBuffers + heapUsed
    }
    const size = bodyOf(await rawAnswer(node.port, requestFor("/docs", "identity", "close"))).length
    const before = used()
    const count = 60
    // What the system keeps of a connection holds the first of its answers, and not the others.
    const requests = requestFor("/docs", "identity", "keep-alive").repeat(3)
    const sockets: Array<Socket> = []
    for (let index = 0; index < count; index += 1) {
      const socket = connect(node.port, "127.0.0.1")
      socket.pause()
      socket.write(requests)
      sockets.push(socket)
    }
    // A request on a connection of its own is answered after all that came before it.
    await vi.waitFor(() => expect(sockets.every(({ bytesWritten }) => bytesWritten > 0)).toBe(true), 100_000)
    for (let round = 0; round < 3; round += 1) {
      await rawAnswer(node.port, requestFor("/health/live", "identity", "close"))
    }
    expect(used() - before).toBeLessThan((count * size) / 10)
    for (const socket of sockets) socket.destroy()
  })
})
