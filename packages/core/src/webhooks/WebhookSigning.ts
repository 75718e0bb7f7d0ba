/** Secrets and signatures of webhooks, as the Standard Webhooks specification describes them. */
import { createHmac } from "node:crypto"
import { type DateTime, Effect, Redacted } from "effect"
import { RandomBytes } from "../ids/RandomBytes.ts"

const prefix = "whsec_"
const secretBytes = 32

/** Secrets of a webhook that sign at the same time: the one of the last rotation and the one before. */
export const maximumSecrets = 2

/** `whsec_` and 32 bytes in base64. It prints as `<redacted>`. */
export type WebhookSecret = Redacted.Redacted<string>

/** The label of every secret. */
export const label = "webhook secret"

export const fromText = (text: string): WebhookSecret => Redacted.make(text, { label })

/** Creates a secret from `RandomBytes`. */
export const generate: Effect.Effect<WebhookSecret> = Effect.map(RandomBytes, (randomBytes) =>
  fromText(prefix + Buffer.from(randomBytes(secretBytes)).toString("base64"))
)

/**
 * The headers of a signed message. One signature per secret, separated by spaces. `at` is the
 * instant of the attempt.
 */
export const signedHeaders = (message: {
  readonly id: string
  readonly at: DateTime.Utc
  readonly body: string
  readonly secrets: ReadonlyArray<WebhookSecret>
}): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> => {
  const timestamp = String(Math.floor(message.at.epochMilliseconds / 1_000))
  const signatures = message.secrets.map((secret) => {
    const key = Buffer.from(Redacted.value(secret).slice(prefix.length), "base64")
    const signed = `${message.id}.${timestamp}.${message.body}`
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`
  })
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" ")
  }
}
