/**
 * Port for requests to the receivers of webhooks.
 */
import { Context, type Effect } from "effect"
import type { WebhookAddressNotAllowed, WebhookSendFailed } from "./WebhookErrors.ts"

/** A signed request, sent by POST. The headers hold `content-type` and the signature. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Optional: without it webhooks cannot be created and nothing is sent. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * Judges scheme and spelling of the address and all addresses its name resolves to. The URL
     * parses and holds no user or password. A name that does not resolve is refused.
     */
    readonly check: (url: string) => Effect.Effect<void, WebhookAddressNotAllowed>

    /**
     * Sends the request and returns the status of any answer but a redirect. Judges the address
     * again and connects to the judged one. Ends within 10 s; reads at most 64 KiB of the answer.
     */
    readonly send: (request: WebhookRequest) => Effect.Effect<{ readonly status: number }, WebhookSendFailed>
  }
>()("@solar-sites/core/WebhookSender") {}
