/** A real SMTP server on loopback that keeps what it receives. */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { vi } from "vitest"
import { temporaryFolder } from "../SolarSitesProcess.ts"

export interface Received {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly html: string
  /** As it was sent. */
  readonly source: string
  readonly isEncrypted: boolean
  readonly user: string | undefined
}

const decodeBody = (body: string, encoding = ""): string => {
  if (encoding === "base64") return Buffer.from(body, "base64").toString()
  if (encoding !== "quoted-printable") return body
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString()
}

/** Headers in lower case, unfolded; and the body. */
const partOf = (source: string) => {
  const [head = "", ...rest] = source.split("\r\n\r\n")
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n")
  const headers = new Map(
    lines.map((line): [string, string] => [
      line.split(":")[0]?.toLowerCase() ?? "",
      line.slice(line.indexOf(":") + 1).trim()
    ])
  )
  return { headers, body: rest.join("\r\n\r\n") }
}

const parse = (source: string) => {
  const { body, headers } = partOf(source)
  const [, boundary = ""] = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "") ?? []
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n/, "")))
  const contentOf = (type: string) => {
    const part = parts.find(({ headers }) => headers.get("content-type")?.startsWith(type))
    return decodeBody(part?.body ?? "", part?.headers.get("content-transfer-encoding")).replaceAll("\r\n", "\n")
  }
  return { headers, text: contentOf("text/plain"), html: contentOf("text/html") }
}

const portOf = (address: string | AddressInfo | null | undefined): number =>
  typeof address === "object" && address !== null ? address.port : 0

/** `port` 0 takes a free one. */
export const mailServer = async (options: SMTPServerOptions = {}, port = 0) => {
  const received: Array<Received> = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ["STARTTLS", "AUTH"] : [],
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope
        const source = Buffer.concat(chunks).toString()
        received.push({
          ...parse(source),
          source,
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: typeof session.user === "string" ? session.user : undefined
        })
        done()
      })
    },
    ...options
  })
  server.on("error", () => {})
  server.listen(port, "127.0.0.1")
  await once(server.server, "listening")

  /** Waits for the n-th mail to an address, counted from 1. */
  const mailTo = (address: string, n = 1): Promise<Received> =>
    vi.waitUntil(() => received.filter(({ to }) => to.includes(address))[n - 1], { timeout: 60_000, interval: 20 })

  /** Text of the last mail to an address that contains the part. */
  const textTo = (address: string, part: string): Promise<string> =>
    vi.waitUntil(() => received.findLast(({ text, to }) => to.includes(address) && text.includes(part))?.text, {
      timeout: 60_000,
      interval: 20
    })

  return {
    port: portOf(server.server.address()),
    received,
    mailTo,
    textTo,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

export type MailServer = Awaited<ReturnType<typeof mailServer>>

/** A self-signed certificate of `localhost`, and a login with it: `ada` and `p@ss`. */
export const temporaryCertificate = async () => {
  const folder = await temporaryFolder()
  const [key, cert] = [join(folder.path, "key.pem"), join(folder.path, "cert.pem")]
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
  await promisify(execFile)("openssl", ["req", "-x509", ...newKey, ...subject, "-keyout", key, "-out", cert])
  const onAuth: SMTPServerOptions["onAuth"] = ({ password, username }, _, done) =>
    username === "ada" && password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong"))
  return {
    path: cert,
    options: { key: await readFile(key), cert: await readFile(cert), onAuth },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()
  }
}
