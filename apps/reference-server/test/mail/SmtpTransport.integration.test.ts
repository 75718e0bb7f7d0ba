import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { Effect, Redacted } from "effect"
import PostalMime from "postal-mime"
import { afterEach, describe, expect, it } from "vitest"
import { type Mail, smtpTransport } from "../../src/mail/SmtpTransport.ts"
import { mailServer } from "./MailServer.ts"

const from = { name: "Solar Sites", address: "solar@example.com" }
const token = "x".repeat(86)
const mail: Mail = {
  to: "ada@example.com",
  subject: "2 documents need attention",
  text: "Hello Ádá,\n\nLong Meadow\n",
  html: "<p>Hello Ádá,</p>",
  headers: {
    "List-Unsubscribe": `<http://solar.example.com/digest/unsubscribe?token=${token}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
  }
}

const closers: Array<() => unknown> = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Resolves with the failure; undefined once the mail is accepted. */
const send = (port: number) =>
  smtpTransport({ url: Redacted.make(`smtp://127.0.0.1:${port}`), from }).pipe(
    Effect.flatMap((transport) => transport(mail)),
    Effect.match({ onFailure: (failure) => failure, onSuccess: () => undefined }),
    Effect.runPromise
  )

/** A mail server that answers each line as told; null closes the connection. */
const scripted = async (answerTo: (line: string) => string | null) => {
  const server = createServer((socket: Socket) => {
    let isData = false
    let rest = ""
    const answer = (line: string) => {
      const text = answerTo(line)
      if (text === null) socket.destroy()
      else socket.write(`${text}\r\n`)
    }
    socket.on("error", () => {})
    socket.write("220 mail.example.com\r\n")
    socket.on("data", (chunk) => {
      rest += chunk
      while (rest.includes("\r\n")) {
        const [line = "", ...more] = rest.split("\r\n")
        rest = more.join("\r\n")
        if (isData && line !== ".") continue
        isData = line === "DATA"
        answer(line)
      }
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closers.push(() => server.close())
  // A server that listens on a port has an address object.
  return (server.address() as AddressInfo).port
}

const accepting = (line: string): string => (line === "DATA" ? "354 go on" : "250 ok")

describe("a mail with headers", () => {
  it("arrives with them, as text and HTML", async () => {
    const server = await mailServer()
    closers.push(server.close)
    expect(await send(server.port)).toBeUndefined()
    const { headers, html, subject, text, to } = await PostalMime.parse(server.received[0]?.source ?? "")
    const headerOf = (key: string) => headers.find((header) => header.key === key)?.value
    expect(headerOf("list-unsubscribe")).toBe(mail.headers?.["List-Unsubscribe"])
    expect(headerOf("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click")
    expect([subject, to?.map(({ address }) => address)]).toEqual([mail.subject, [mail.to]])
    expect([text?.trim(), html?.trim()]).toEqual([mail.text.trim(), mail.html])
    // Programs that end a subscription read no folded address.
    expect(server.received[0]?.source).toContain(`List-Unsubscribe: ${mail.headers?.["List-Unsubscribe"]}\r\n`)
  })
})

describe("a mail server that ends the connection", () => {
  it("after the whole mail may deliver it", async () => {
    const failure = await send(await scripted((line) => (line === "." ? null : accepting(line))))
    expect([failure?.isPermanent, failure?.mayArrive]).toEqual([false, true])
  })

  it.for(["EHLO", "MAIL", "RCPT", "DATA"])("at %s has no mail", async (command) => {
    const failure = await send(await scripted((line) => (line.startsWith(command) ? null : accepting(line))))
    expect([failure?.isPermanent, failure?.mayArrive]).toEqual([false, false])
  })

  it("with a refusal of the whole mail has none", async () => {
    const busy = await send(await scripted((line) => (line === "." ? "451 later" : accepting(line))))
    expect([busy?.isPermanent, busy?.mayArrive, busy?.responseCode]).toEqual([false, false, 451])
    const refused = await send(await scripted((line) => (line === "." ? "554 no" : accepting(line))))
    expect([refused?.isPermanent, refused?.mayArrive]).toEqual([true, false])
  })
})
