import { inspect } from "node:util"
import { RandomBytes, WebhookSigning } from "@solar-sites/core"
import { DateTime, Effect, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"

const generate = () => Effect.runSync(WebhookSigning.generate)
const receiver = (secret: WebhookSigning.WebhookSecret) => new Webhook(Redacted.value(secret))

const body = JSON.stringify({ type: "site.created", data: { siteName: "Grünes Feld ☀ \u2028", "a.b": 1 } })
const message = { id: "0199f3a0-0000-7000-8000-000000000001", at: DateTime.nowUnsafe(), body }

describe("a secret", () => {
  it("is whsec_ and 32 random bytes in base64, never the same twice", () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => index * 8)
    const secret = Effect.runSync(Effect.provideService(WebhookSigning.generate, RandomBytes, () => bytes))
    expect(Redacted.value(secret)).toBe(`whsec_${Buffer.from(bytes).toString("base64")}`)
    const many = Array.from({ length: 100 }, () => Redacted.value(generate()))
    for (const one of many) expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(new Set(many).size).toBe(100)
  })

  it("does not print", () => {
    const secret = generate()
    for (const printed of [String(secret), JSON.stringify({ secret }), inspect(secret, { showHidden: true })]) {
      expect(printed).not.toContain(Redacted.value(secret).slice(6))
    }
  })

  it("is named in logs, and not shown", () => {
    expect(String(generate())).toBe("<redacted:webhook secret>")
  })
})

describe("a signed message", () => {
  it("is accepted by the published library, with the body that was signed", () => {
    for (let count = 0; count < 50; count++) {
      const secret = generate()
      const headers = WebhookSigning.signedHeaders({ ...message, secrets: [secret] })
      expect(receiver(secret).verify(body, headers)).toEqual(JSON.parse(body))
      expect(headers["webhook-signature"]).toBe(receiver(secret).sign(message.id, DateTime.toDateUtc(message.at), body))
    }
  })

  it("is accepted by holders of each of two secrets, in either order", () => {
    const [before, after, other] = [generate(), generate(), generate()]
    for (const secrets of [
      [before, after],
      [after, before]
    ]) {
      const headers = WebhookSigning.signedHeaders({ ...message, secrets })
      expect(receiver(before).verify(body, headers)).toEqual(JSON.parse(body))
      expect(receiver(after).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => receiver(other).verify(body, headers)).toThrow("No matching signature found")
    }
  })

  it("is refused when its id, time or body is another", () => {
    const secret = generate()
    const headers = WebhookSigning.signedHeaders({ ...message, secrets: [secret] })
    const earlier = String(Number(headers["webhook-timestamp"]) - 1)
    for (const [changed, text] of [
      [{ ...headers, "webhook-id": `${message.id}x` }, body],
      [{ ...headers, "webhook-timestamp": earlier }, body],
      [headers, `${body} `],
      [headers, body.replace("ü", "u")]
    ] as const) {
      expect(() => receiver(secret).verify(text, changed)).toThrow("No matching signature found")
    }
  })

  it("has its time in whole seconds, so that it is refused after five minutes", () => {
    const secret = generate()
    const at = DateTime.makeUnsafe("2026-11-22T08:00:00.999Z")
    const headers = WebhookSigning.signedHeaders({ ...message, at, secrets: [secret] })
    expect(headers).toMatchObject({ "webhook-id": message.id, "webhook-timestamp": "1795334400" })
    const late = DateTime.subtract(message.at, { minutes: 6 })
    const old = WebhookSigning.signedHeaders({ ...message, at: late, secrets: [secret] })
    expect(() => receiver(secret).verify(body, old)).toThrow("Message timestamp too old")
  })
})
