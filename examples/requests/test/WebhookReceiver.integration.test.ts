import { WebhookSender, WebhookSigning } from "@solar-sites/core"
import { layer } from "@solar-sites/http-node/webhooks"
import { DateTime, Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Running, start } from "./ExampleProcess.ts"

describe("the example webhook-receiver", () => {
  const secret = Effect.runSync(WebhookSigning.generate)
  let running: Running
  beforeAll(async () => {
    const env = { WEBHOOK_SECRET: Redacted.value(secret) }
    running = await start({ name: "webhook-receiver", command: ["src/main.ts"], ready: /(receiver is at)/, env })
  })
  afterAll(() => running?.stop())

  const headersOf = (id: string, body: string, secrets = [secret], at = DateTime.nowUnsafe()) => ({
    "content-type": "application/json",
    ...WebhookSigning.signedHeaders({ id, at, body, secrets })
  })

  const send = (body: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    WebhookSender.use((sender) => sender.send({ url: `${running.address}/hooks`, headers, body })).pipe(
      Effect.map(({ status }) => status),
      Effect.provide(layer({ allowPrivate: true })),
      Effect.runPromise
    )

  /** Lines with the text, of all that was printed before now. */
  const linesWith = async (text: string): Promise<ReadonlyArray<string>> => {
    const last = crypto.randomUUID()
    expect(await send(`"${last}"`, headersOf(last, `"${last}"`))).toBe(204)
    await expect.poll(running.printed).toContain(last)
    return running
      .printed()
      .split("\n")
      .filter((line) => line.includes(text))
  }

  it("handles an event once, however often it comes", async () => {
    const body = JSON.stringify({ type: "site.created", data: { id: "first", siteName: "Grünes Feld" } })
    for (let attempt = 0; attempt < 3; attempt++) expect(await send(body, headersOf("first", body))).toBe(204)
    expect(await linesWith("first")).toEqual([`received ${body}`])
  })

  it("accepts both secrets after a rotation", async () => {
    const next = Effect.runSync(WebhookSigning.generate)
    expect(await send("{}", headersOf("second", "{}", [next, secret]))).toBe(204)
  })

  it("refuses what was not signed with its secret, now, or as it is", async () => {
    const body = JSON.stringify({ id: "third" })
    const other = Effect.runSync(WebhookSigning.generate)
    const old = DateTime.subtract(DateTime.nowUnsafe(), { minutes: 6 })
    expect(await send(body, headersOf("third", body, [other]))).toBe(400)
    expect(await send(body, headersOf("third", body, [secret], old))).toBe(400)
    expect(await send(`${body} `, headersOf("third", body))).toBe(400)
    expect(await send(body, {})).toBe(400)
    expect(await send("x".repeat(1_048_577), {})).toBe(413)
    expect((await fetch(running.address)).status).toBe(405)
    expect(await linesWith("third")).toEqual([])
  })
})
