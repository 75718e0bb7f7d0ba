import type { Socket } from "node:net"
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket, type TlsOptions } from "node:tls"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type Certificates, hasOpenssl, makeCertificates } from "./Certificates.ts"
import { type Receiving, receiving, send, until } from "./Receiving.ts"

const canCertify = await hasOpenssl()
let certificates: Certificates
const trusted = getCACertificates("default")
beforeAll(async () => {
  if (!canCertify) return
  certificates = await makeCertificates()
  setDefaultCACertificates([...trusted, certificates.authority])
})
afterAll(() => setDefaultCACertificates(trusted))
afterEach(() => vi.unstubAllEnvs())

/** A receiver with TLS, and the server names that clients ask for. */
const secured = async (options: TlsOptions): Promise<Receiving & { readonly servernames: Array<unknown> }> => {
  const servernames: Array<unknown> = []
  const server = createServer(options)
  server.on("secureConnection", (socket: TLSSocket) => {
    servernames.push(socket.servername)
    socket.on("error", () => {})
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\n"))
  })
  return Object.assign(await receiving(() => {}, server), { servernames })
}

const resolve = async () => ["127.0.0.1"]

describe.skipIf(!canCertify)("TLS to a receiver", () => {
  it("is verified by the name of the host, which the receiver is told", async () => {
    await using receiver = await secured(certificates.valid)
    expect(await send(`https://receiver.test:${receiver.port}`, { resolve })).toBe("200")
    expect(await send(`https://RECEIVER.test.:${receiver.port}`, { resolve })).toBe("200")
    expect(await send(`https://127.0.0.1:${receiver.port}`)).toBe("200")
    expect(receiver.servernames).toEqual(["receiver.test", "receiver.test", false])
  })

  it.each([
    ["of another name", "otherName", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["that has expired", "expired", "CERT_HAS_EXPIRED"],
    ["that signs itself", "selfSigned", "DEPTH_ZERO_SELF_SIGNED_CERT"]
  ] as const)("fails with a certificate %s, also when the environment of Node allows it", async (_, name, code) => {
    await using receiver = await secured(certificates[name])
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
    const failure = `tls: The TLS handshake failed (${code}).`
    expect(await send(`https://receiver.test:${receiver.port}`, { resolve })).toBe(failure)
    await until(() => receiver.sockets.every(({ closed }) => closed))
    expect(receiver.received()).not.toContain("hidden")
  })

  it("is verified again after a receiver with the same name was valid", async () => {
    await using receiver = await secured(certificates.valid)
    const url = `https://receiver.test:${receiver.port}`
    expect(await send(url, { resolve })).toBe("200")
    setDefaultCACertificates(trusted)
    expect(await send(url, { resolve })).toBe("tls: The TLS handshake failed (SELF_SIGNED_CERT_IN_CHAIN).")
    setDefaultCACertificates([...trusted, certificates.authority])
  })

  it("fails with a version that is too old", async () => {
    await using receiver = await secured({ ...certificates.valid, maxVersion: "TLSv1.1", minVersion: "TLSv1" })
    expect(await send(`https://receiver.test:${receiver.port}`, { resolve })).toMatch(/^tls: /)
  })

  it.each<[string, (socket: Socket) => void, RegExp]>([
    ["answers without TLS", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"), /^tls: .*EPROTO/],
    ["resets", (socket) => socket.resetAndDestroy(), /^tls: .*ECONNRESET/],
    ["closes", (socket) => socket.end(), /^tls: .*ECONNRESET/],
    ["is silent", () => {}, /^timeout: /]
  ])("fails when the receiver %s", async (_, answer, failure) => {
    await using receiver = await receiving(answer)
    expect(await send(`https://127.0.0.1:${receiver.port}`, { timeout: "300 millis" })).toMatch(failure)
    await until(() => receiver.sockets.every(({ closed }) => closed))
    expect(receiver.received()).not.toContain("hidden")
  })
})
