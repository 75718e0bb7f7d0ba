/**
 * Reads notifications of S3 about created objects, for the option `storageEvents` of the HTTP
 * binding. Needs no AWS SDK.
 */
import { SignatureInvalid, StorageError, type ValidationFailed } from "@solar-sites/core"
import { optionCheck } from "@solar-sites/core/options"
import { Cache, Clock, Effect, Exit } from "effect"
import { arrivalsIn, invalid, memberOf } from "./S3Events.ts"
import {
  certificateOf,
  decodeConfirmation,
  decodeNotification,
  isCertificateAddress,
  isCertificateOfSns,
  isConfirmationAddress,
  isSignedBy,
  type SnsConfirmation,
  type SnsMessage
} from "./SnsMessages.ts"

export interface NotificationOptions {
  /** Objects of other buckets are ignored. Without it, objects of all buckets are reported. */
  readonly bucket?: string | undefined
  /** ARNs of SNS topics; messages of others are ignored. Without it, each topic of SNS is accepted. */
  readonly topics?: ReadonlyArray<string> | undefined
  /** Sends requests to SNS, in place of the global `fetch`: for certificates and confirmations. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

const { names, need } = optionCheck("the notifications of S3")

const checkOptions = (options: NotificationOptions): void => {
  names(options, { bucket: true, topics: true, fetch: true })
  const { bucket, fetch, topics } = options
  const isText = (given: unknown) => typeof given === "string" && given !== ""
  need(bucket === undefined || isText(bucket), "bucket", 'the name of a bucket, such as "solar-documents"', bucket)
  const areTopics = topics === undefined || (Array.isArray(topics) && topics.every(isText))
  need(areTopics, "topics", 'a list such as ["arn:aws:sns:eu-central-1:123456789012:arrivals"]', topics)
  need(fetch === undefined || typeof fetch === "function", "fetch", "a function like the global fetch", fetch)
}

// SNS waits 15 s for a response.
const timeoutMillis = 5_000
const maximumResponseBytes = 65_536
const certificates = 16

/** Body of a response with status 2xx, without following redirects. */
const get = async (send: NonNullable<NotificationOptions["fetch"]>, url: string): Promise<string> => {
  // The checks judged the parsed address; another parser could read the text differently.
  const { href } = new URL(url)
  const response = await send(href, { redirect: "error", signal: AbortSignal.timeout(timeoutMillis) })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`SNS answered with status ${response.status}`)
  }
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maximumResponseBytes) throw new Error(`SNS answered with more than ${maximumResponseBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * Returns a function from a body to the keys of the objects that it reports as created. It fails with
 * `ValidationFailed` when the body is no notification, with `SignatureInvalid` when a message of SNS has
 * a wrong signature, and with `StorageError` while SNS does not answer. It confirms subscriptions, at SNS only.
 */
export const notificationReader = (
  options: NotificationOptions = {}
): ((body: unknown) => Effect.Effect<ReadonlyArray<string>, SignatureInvalid | ValidationFailed | StorageError>) => {
  checkOptions(options)
  const { bucket, fetch: send = (url, init) => fetch(url, init), topics } = options

  const request = <A>(operation: string, url: string, use: (text: string) => A) =>
    Effect.tryPromise({
      try: async () => use(await get(send, url)),
      catch: (cause) => new StorageError({ operation, reason: "unavailable", cause })
    })

  // Concurrent messages share one request. A failure is kept for a second, so that a burst of messages does not repeat it.
  const cache = Effect.runSync(
    Cache.makeWith((url: string) => request("certificate of SNS", url, certificateOf), {
      capacity: certificates,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 day" : "1 second")
    })
  )

  const verify = Effect.fnUntraced(function* (message: SnsMessage) {
    if (!isCertificateAddress(message.SigningCertURL)) {
      return yield* new SignatureInvalid({ reason: "names a certificate that is not at an address of Amazon SNS" })
    }
    const certificate = yield* Cache.get(cache, message.SigningCertURL)
    if (!isCertificateOfSns(certificate, yield* Clock.currentTimeMillis)) {
      return yield* new SignatureInvalid({ reason: "names no valid certificate of Amazon SNS" })
    }
    if (!isSignedBy(message, certificate)) return yield* new SignatureInvalid({ reason: "does not fit it" })
  })

  const inTopic = (log: Effect.Effect<void>, { TopicArn }: SnsMessage) => Effect.annotateLogs(log, { topic: TopicArn })

  const settle = Effect.fnUntraced(function* (message: SnsConfirmation) {
    // The address of this message would subscribe again.
    if (message.Type === "UnsubscribeConfirmation") {
      return yield* inTopic(Effect.logWarning("subscription to storage events ended"), message)
    }
    if (!isConfirmationAddress(message)) {
      return yield* invalid("/SubscribeURL", "must be the https address of Amazon SNS that confirms this subscription")
    }
    yield* request("confirmation of SNS", message.SubscribeURL, () => undefined)
    yield* inTopic(Effect.logInfo("subscription to storage events confirmed"), message)
  })

  const openEnvelope = Effect.fnUntraced(function* (body: unknown) {
    const isNotification = memberOf(body, "Type") === "Notification"
    const message: SnsMessage = yield* isNotification ? decodeNotification(body) : decodeConfirmation(body)
    if (topics?.includes(message.TopicArn) === false) {
      yield* inTopic(Effect.logWarning("message of an unknown topic ignored"), message)
      return []
    }
    yield* verify(message)
    if (message.Type !== "Notification") {
      yield* settle(message)
      return []
    }
    return yield* Effect.try((): unknown => JSON.parse(message.Message)).pipe(
      Effect.flatMap(arrivalsIn),
      Effect.catch(() => invalid("/Message", "must be a notification of S3 as JSON"))
    )
  })

  return (body) =>
    Effect.map(memberOf(body, "Type") === undefined ? arrivalsIn(body) : openEnvelope(body), (arrivals) =>
      arrivals.filter((arrival) => bucket === undefined || arrival.bucket === bucket).map(({ key }) => key)
    )
}
