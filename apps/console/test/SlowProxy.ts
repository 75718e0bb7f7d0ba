/**
 * A proxy between browser and server that holds files back on demand, or cuts the connection.
 */
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, beforeAll } from "vitest"

interface SlowProxy extends AsyncDisposable {
  readonly address: string
  /** Holds back everything after the first chunk of each file. */
  readonly hold: () => void
  /** Sends all held data. */
  readonly release: () => void
  /** Cuts all connections and accepts none until `mend`. */
  readonly cut: () => void
  readonly mend: () => void
  /** Most files that were sent at the same time, since the last `mend`. */
  readonly mostFiles: () => number
}

const startSlowProxy = async (): Promise<SlowProxy> => {
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  let isCut = false
  let [files, mostFiles] = [0, 0]

  const server = createServer(async (incoming, answer) => {
    if (isCut) return incoming.destroy()
    const url = new URL(incoming.url ?? "")
    const { headers, method } = incoming
    const isFile = url.pathname.startsWith("/storage/")
    const outgoing = request(url, { method, headers }, (response) => {
      // The browser has the end of the answer after this, when it may send the next file.
      if (isFile) files -= 1
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    outgoing.on("error", () => answer.destroy())
    incoming.on("error", () => outgoing.destroy())
    incoming.on("close", () => incoming.complete || outgoing.destroy())
    if (!isFile) return incoming.pipe(outgoing)
    mostFiles = Math.max(mostFiles, ++files)
    incoming.on("data", (piece) => {
      outgoing.write(piece)
      incoming.pause()
      void gate.promise.then(() => incoming.resume())
    })
    incoming.on("end", () => outgoing.end())
  })

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const release = () => gate.resolve()
  return {
    address: `http://127.0.0.1:${portOf(server.address())}`,
    hold: () => {
      gate = Promise.withResolvers()
    },
    release,
    cut: () => {
      isCut = true
      server.closeAllConnections()
    },
    mend: () => {
      isCut = false
      mostFiles = 0
    },
    mostFiles: () => mostFiles,
    [Symbol.asyncDispose]: () => {
      release()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

const portOf = (address: AddressInfo | string | null): number =>
  address !== null && typeof address === "object" ? address.port : 0

/** A proxy for the tests of a file, so that they can share a page. After each test it holds nothing. */
export const useSlowProxy = (): (() => SlowProxy) => {
  let proxy: SlowProxy | undefined
  const started = () => {
    if (proxy === undefined) throw new Error("the proxy starts before the tests of the file")
    return proxy
  }
  beforeAll(async () => {
    proxy = await startSlowProxy()
  })
  afterEach(() => {
    started().release()
    started().mend()
  })
  afterAll(() => proxy?.[Symbol.asyncDispose]())
  return started
}
