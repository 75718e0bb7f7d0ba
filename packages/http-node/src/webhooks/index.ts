/** Sends webhooks from Node, to receivers on the public internet. */
import { WebhookAddressNotAllowed, WebhookSender, WebhookSendFailed, webhookTimeoutSeconds } from "@solar-sites/core"
import { Flag, optionCheck } from "@solar-sites/core/options"
import { Config, Duration, Effect, Layer } from "effect"
import { type ExchangeState, exchange, resultOf } from "./Exchange.ts"
import { type ResolveName, resolveLocalName, resolverAt } from "./NameResolution.ts"
import { judgedReceiver, unresolvedReason } from "./Receiver.ts"

export type { ResolveName } from "./NameResolution.ts"

export interface WebhookSenderOptions {
  /** Also allows http and addresses that are not public (default false). For development. */
  readonly allowPrivate?: boolean
  /** Duration of resolution, connection, request and answer: at most 10 s, the default. */
  readonly timeout?: Duration.Input
  /** Default: the name servers; with `allowPrivate` the operating system. */
  readonly resolve?: ResolveName
}

/** `WEBHOOK_ALLOW_PRIVATE`, default `false`. */
export const settings = {
  allowPrivate: Config.schema(Flag, "WEBHOOK_ALLOW_PRIVATE").pipe(Config.withDefault(false))
}

const longest = Duration.seconds(webhookTimeoutSeconds)

const { duration, names, need } = optionCheck("the webhook sender")

const check = (options: WebhookSenderOptions): void => {
  const { allowPrivate, resolve, timeout } = options
  names(options, { allowPrivate: true, timeout: true, resolve: true })
  need(allowPrivate === undefined || typeof allowPrivate === "boolean", "allowPrivate", "true or false", allowPrivate)
  duration("timeout", timeout)
  const isShort = timeout === undefined || Duration.isLessThanOrEqualTo(Duration.fromInputUnsafe(timeout), longest)
  need(isShort, "timeout", `at most ${webhookTimeoutSeconds} s`, timeout)
  need(resolve === undefined || typeof resolve === "function", "resolve", "a function", resolve)
}

/**
 * Judges each address when it is checked and again when it is used. Opens one connection per
 * request, to a judged address, and verifies TLS. Follows no redirects and uses no proxy. Throws a
 * `TypeError` for a wrong option.
 */
export const layer = (options: WebhookSenderOptions = {}): Layer.Layer<WebhookSender> => {
  check(options)
  const { allowPrivate = false, timeout = longest } = options
  const { resolve = allowPrivate ? resolveLocalName : resolverAt() } = options
  const receiverOf = (url: string) => judgedReceiver(url, allowPrivate, resolve)
  return Layer.succeed(WebhookSender, {
    check: (url) =>
      Effect.asVoid(receiverOf(url)).pipe(
        Effect.catchTag("WebhookSendFailed", () => new WebhookAddressNotAllowed({ reason: unresolvedReason }))
      ),
    send: (request) =>
      Effect.suspend(() => {
        const state: ExchangeState = { status: null, reason: "connection", errorCode: "closed early" }
        const refused = ({ message }: WebhookAddressNotAllowed) =>
          new WebhookSendFailed({ reason: "address_not_allowed", detail: `${message}.`, status: null })
        return receiverOf(request.url).pipe(
          Effect.catchTag("WebhookAddressNotAllowed", refused),
          Effect.flatMap((receiver) => exchange(receiver, request, state)),
          Effect.timeoutOrElse({ duration: timeout, orElse: () => resultOf(state, true) })
        )
      })
  })
}

/** As `layer`, with the `settings` of the environment (specification, section 9). */
export const layerConfig: Layer.Layer<WebhookSender, Config.ConfigError> = Layer.unwrap(
  Effect.gen(function* () {
    return layer(yield* Config.all(settings))
  })
)
