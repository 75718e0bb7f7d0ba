import { RepositoryError } from "@solar-sites/core"
import { Clock, Context, Effect, Exit, Layer, Logger, Option, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, describe, expect, it, vi } from "vitest"
import { RequestLanguage } from "../../src/console/Language.ts"
import type { Letter } from "../../src/mail/Letters.ts"
import { Mailer, type Outgoing } from "../../src/mail/Mailer.ts"
import { type MailServer, mailServer, temporaryCertificate } from "./MailServer.ts"

const letter: Letter = {
  name: "Ada",
  textsIn: ({ language }) => ({
    subject: "Hello",
    before: ["A line."],
    link: "Open",
    ...(language === "de" ? { after: ["Deutsch"] } : {})
  }),
  path: "/x#token"
}
const from = { name: "Solar Sites", address: "solar@example.com" }

// For busy machines.
const waiting = { timeout: 60_000, interval: 20 }

const closers: Array<() => Promise<unknown>> = []

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const started = async (...args: Parameters<typeof mailServer>): Promise<MailServer> => {
  const server = await mailServer(...args)
  closers.push(server.close)
  return server
}

/** A mailer, and the lines that it logs. */
const mailerTo = async (url: string) => {
  const lines: Array<string> = []
  const logger = Logger.make((options) => lines.push(Logger.formatJson.log(options)))
  const logged = Logger.layer([logger])
  const scope = await Effect.runPromise(Scope.make())
  const settings = Option.some({ url: Redacted.make(url), from })
  const layer = Mailer.layer({ settings, address: Effect.succeed("https://solar.example.com") })
  const services = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const mailer = Context.get(services, Mailer)
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  closers.push(close)
  const accepted: Array<string> = []
  const mailTo = (to: string): Outgoing => ({ to, letter, onAccepted: Effect.sync(() => void accepted.push(to)) })
  const sendMade = <E>(made: Effect.Effect<Outgoing | null, E>, options = { isOpen: false }) =>
    Effect.runPromise(Effect.provide(mailer.send(made, options), logged))
  const send = (to: string) => sendMade(Effect.succeed(mailTo(to)))
  return { mailer, logged, mailTo, sendMade, send, close, lines, accepted }
}

describe("the mailer", () => {
  it("sends text and HTML to exactly one address", async () => {
    const server = await started()
    const { accepted, send } = await mailerTo(`smtp://127.0.0.1:${server.port}`)
    await send("ada,eve@example.com")
    const { from, headers, html, text, to } = await vi.waitUntil(() => server.received[0], waiting)
    expect([from, to]).toEqual(["solar@example.com", ['"ada,eve"@example.com']])
    expect(headers.get("subject")).toBe("Hello")
    expect(headers.get("from")).toBe("Solar Sites <solar@example.com>")
    expect(text.trim()).toBe("Hello Ada,\n\nA line.\n\nOpen:\nhttps://solar.example.com/x#token")
    expect(html).toContain('<a href="https://solar.example.com/x#token">Open</a>')
    await vi.waitUntil(() => accepted.length === 1, waiting)
  })

  it("sends in the language of the request", async () => {
    const server = await started()
    const { logged, mailTo, mailer } = await mailerTo(`smtp://127.0.0.1:${server.port}`)
    const sending = mailer.send(Effect.succeed(mailTo("ada@example.com")))
    await Effect.runPromise(Effect.provideService(Effect.provide(sending, logged), RequestLanguage, "de"))
    const { html, text } = await vi.waitUntil(() => server.received[0], waiting)
    expect(text.trim()).toBe("Guten Tag Ada,\n\nA line.\n\nOpen:\nhttps://solar.example.com/x#token\n\nDeutsch")
    expect(html).toContain('<html lang="de">')
  })

  it("tries again until a mail server is there, and logs no address or link", async () => {
    const { close, port } = await mailServer()
    await close()
    const { lines, send } = await mailerTo(`smtp://127.0.0.1:${port}`)
    await send("ada@example.com")
    await vi.waitUntil(() => lines.length > 0, waiting)
    const server = await started({}, port)
    await server.mailTo("ada@example.com")
    expect(lines[0]).toContain("mail delivery failed")
    expect(lines.join()).not.toMatch(/example\.com|token/)
  })

  it("makes a mail again after an error of the database, and sends it once", async () => {
    const server = await started()
    const { accepted, lines, mailTo, sendMade } = await mailerTo(`smtp://127.0.0.1:${server.port}`)
    let makes = 0
    const unavailable = new RepositoryError({
      operation: "Users.findByLogin",
      retryable: true,
      cause: new Error("EMFILE")
    })
    const make = Effect.suspend(() =>
      ++makes === 1 ? Effect.fail(unavailable) : Effect.succeed(mailTo("a@b.example"))
    )
    await sendMade(make)
    await vi.waitUntil(() => accepted.length === 1, waiting)
    expect([makes, server.received.length, lines.length]).toEqual([2, 1, 1])
    expect(lines[0]).toContain("preparation of a mail failed")
    expect(lines[0]).toContain("EMFILE")
  })

  it("does not make a mail again when only its delivery fails", async () => {
    let recipients = 0
    const busy = Object.assign(new Error("busy"), { responseCode: 450 })
    const server = await started({ onRcptTo: (_, __, done) => done(++recipients === 1 ? busy : null) })
    const { accepted, mailTo, sendMade } = await mailerTo(`smtp://127.0.0.1:${server.port}`)
    let makes = 0
    await sendMade(Effect.sync(() => mailTo(`made${++makes}@example.com`)))
    await vi.waitUntil(() => accepted.length === 1, waiting)
    expect([makes, server.received.map(({ to }) => to)]).toEqual([1, [["made1@example.com"]]])
  })

  it("gives up a mail after five failed attempts to make it", async () => {
    const { lines, logged, mailer } = await mailerTo("smtp://127.0.0.1:1")
    const attempts: Array<number> = []
    const make = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      attempts.push(now)
      return Effect.fail("unavailable")
    })
    const sending = Effect.andThen(mailer.send(make), TestClock.adjust("1 hour"))
    await Effect.runPromise(Effect.provide(sending, [TestClock.layer(), logged]))
    expect(attempts).toEqual([100, 1_100, 16_100, 76_100, 256_100])
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(["WARN", "WARN", "WARN", "WARN", "ERROR"])
    expect(lines.at(-1)).toContain("mail not sent")
  })

  it("takes 500 mails at once, 250 of requests without a session, and says which ones it dropped", async () => {
    const { lines, sendMade } = await mailerTo("smtp://127.0.0.1:1")
    const take = async (count: number, isOpen: boolean) => {
      const taken: Array<boolean> = []
      for (let n = 0; n < count; n++) taken.push(await sendMade(Effect.never, { isOpen }))
      return taken.filter((one) => one).length
    }
    expect([await take(251, true), await take(251, false), await take(1, true)]).toEqual([250, 250, 0])
    expect(lines).toEqual(Array.from({ length: 3 }, () => expect.stringContaining("mail queue full, mail dropped")))
  })

  it("gives up at once when the mail server refuses a recipient for good, and goes on with others", async () => {
    const server = await started({
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith("gone") ? Object.assign(new Error(`no ${address}`), { responseCode: 550 }) : null)
    })
    const { accepted, lines, send } = await mailerTo(`smtp://127.0.0.1:${server.port}`)
    await send("gone@example.com")
    await send("ada@example.com")
    await server.mailTo("ada@example.com")
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      message: "mail not delivered",
      annotations: { code: "EENVELOPE", responseCode: 550, isPermanent: true }
    })
    expect(lines.join()).not.toContain("example.com")
    await vi.waitUntil(() => accepted.length === 1, waiting)
    expect(accepted).toEqual(["ada@example.com"])
  })

  it("sends what is under way before it closes", async () => {
    const server = await started()
    const { close, send } = await mailerTo(`smtp://127.0.0.1:${server.port}`)
    for (const name of ["ada", "bob", "eve"]) await send(`${name}@example.com`)
    await close()
    expect(server.received).toHaveLength(3)
  })

  it("closes in bounded time while no mail server answers", async () => {
    const { close: closeServer, port } = await mailServer()
    await closeServer()
    const { close, lines, send } = await mailerTo(`smtp://127.0.0.1:${port}`)
    await send("ada@example.com")
    await vi.waitUntil(() => lines.length > 0, waiting)
    await close()
    expect(lines.at(-1)).toContain("mail not delivered")
  })

  it("sends nothing to a mail server with an untrusted certificate", async () => {
    await using certificate = await temporaryCertificate()
    const server = await started(certificate.options)
    const { lines, send } = await mailerTo(`smtp://localhost:${server.port}`)
    await send("ada@example.com")
    await vi.waitUntil(() => lines.length > 0, waiting)
    expect(server.received).toEqual([])
    expect(JSON.parse(lines[0] ?? "").annotations).toMatchObject({ code: "ESOCKET" })
  })
})
