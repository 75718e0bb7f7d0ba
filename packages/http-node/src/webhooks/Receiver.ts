/**
 * Receivers of webhooks: the parts of an address, judged.
 */

import { isIP } from "node:net"
import { WebhookAddressNotAllowed, WebhookSendFailed } from "@solar-sites/core"
import { Effect } from "effect"
import { isPublicAddress } from "./AddressRanges.ts"
import type { ResolveName } from "./NameResolution.ts"

/** A connection is made to one of `addresses` only. */
export interface Receiver {
  readonly isSecure: boolean
  /** Host without the brackets of IPv6 and without the final dot of a name. */
  readonly host: string
  readonly port: string
  /** Path with the query. */
  readonly path: string
  readonly addresses: ReadonlyArray<string>
}

const resolutionTimeout = "5 seconds"

const refused = (reason: string) => new WebhookAddressNotAllowed({ reason })

/** Continues "The address …". */
export const unresolvedReason = "has a host that cannot be resolved at the moment"

const unresolved = () =>
  new WebhookSendFailed({ reason: "connection", detail: `The address ${unresolvedReason}.`, status: null })

const resolved = (name: string, resolve: ResolveName): Effect.Effect<ReadonlyArray<string>, WebhookSendFailed> =>
  Effect.timeoutOrElse(Effect.tryPromise({ try: (signal) => resolve(name, signal), catch: unresolved }), {
    duration: resolutionTimeout,
    orElse: () => Effect.fail(unresolved())
  })

/**
 * Judges a URL and every address of its host, which is resolved once. `WebhookSendFailed`: the
 * name servers give no answer.
 */
export const judgedReceiver = Effect.fnUntraced(function* (
  text: string,
  allowPrivate: boolean,
  resolve: ResolveName
): Effect.fn.Return<Receiver, WebhookAddressNotAllowed | WebhookSendFailed> {
  // The parser of Node brings decimal, octal, hexadecimal, short and percent-encoded forms of a
  // host, and names in other scripts, into one form. It refuses zones of IPv6.
  const url = URL.parse(text)
  if (url === null) return yield* refused("must be a URL")
  const isSecure = url.protocol === "https:"
  if (!isSecure && !(allowPrivate && url.protocol === "http:")) {
    return yield* refused(allowPrivate ? "must begin with https:// or http://" : "must begin with https://")
  }
  if (url.username !== "" || url.password !== "") return yield* refused("must not hold a user or password")
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "")
  const addresses = isIP(host) === 0 ? yield* resolved(host, resolve) : [host]
  if (addresses.length === 0 || !(allowPrivate || addresses.every(isPublicAddress))) {
    // One answer for unknown and private names, so that it does not show which names exist inside.
    return yield* refused("must have a host on the public internet, and this one is unknown or private")
  }
  return { isSecure, host, port: url.port, path: url.pathname + url.search, addresses }
})
