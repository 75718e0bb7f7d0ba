import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type NotificationOptions, notificationReader } from "@solar-sites/adapter-s3/notifications"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aKey } from "./Setup.ts"
import {
  aConfirmation,
  aKeyPair,
  aNotification,
  certificateUrl,
  type KeyPair,
  recording,
  signed,
  subscribeUrl,
  theService,
  topic
} from "./SnsTopic.ts"

const key = aKey()
const event = { Records: [{ eventName: "ObjectCreated:Put", s3: { bucket: { name: "b" }, object: { key } } }] }

let folder: string
let pair: KeyPair
let foreign: KeyPair
let elliptic: KeyPair
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "solar-sites-sns-"))
  pair = await aKeyPair(folder)
  foreign = await aKeyPair(folder, "sns.example.com")
  elliptic = await aKeyPair(folder, "sns.us-east-1.amazonaws.com", "ec")
})
afterAll(() => rm(folder, { recursive: true }))

const reading = (fetch: NotificationOptions["fetch"], more: NotificationOptions = {}) => {
  const read = notificationReader({ fetch, ...more })
  return (body: unknown) => Effect.runPromise(Effect.result(read(body)))
}
const reports = (...keys: ReadonlyArray<string>) => ({ _tag: "Success", success: keys })
const refuses = (pointer: string) => ({ failure: { _tag: "ValidationFailed", faults: [{ pointer }] } })
const forged = { failure: { _tag: "SignatureInvalid" } }
const unavailable = { failure: { _tag: "StorageError", code: "storage_unavailable" } }

describe("a message of SNS", () => {
  it.each(["1", "2"])("is accepted with a signature of version %s", async (SignatureVersion) => {
    const { fetch, inits, requests } = theService(pair)
    const read = reading(fetch)
    expect(await read(signed(pair, aNotification(event, { SignatureVersion })))).toMatchObject(reports(key))
    expect(requests).toEqual([certificateUrl])
    expect(inits).toMatchObject([{ redirect: "error", signal: expect.any(AbortSignal) }])
  })

  it("may have no subject", async () => {
    const { Subject: _, ...message } = aNotification(event)
    expect(await reading(theService(pair).fetch)(signed(pair, message))).toMatchObject(reports(key))
  })

  it("may hold an event of EventBridge, or the test event", async () => {
    const read = reading(theService(pair).fetch)
    const detail = { bucket: { name: "b" }, object: { key } }
    const created = { source: "aws.s3", "detail-type": "Object Created", detail }
    expect(await read(signed(pair, aNotification(created)))).toMatchObject(reports(key))
    expect(await read(signed(pair, aNotification({ Event: "s3:TestEvent" })))).toMatchObject(reports())
  })

  it.each(["no JSON", { other: true }, signed.name])("without a notification of S3 is refused: %j", async (text) => {
    expect(await reading(theService(pair).fetch)(signed(pair, aNotification(text)))).toMatchObject(refuses("/Message"))
  })

  it.each(["Message", "MessageId", "Subject", "Timestamp", "TopicArn"])("with another %s is forged", async (name) => {
    const message = signed(pair, aNotification(event))
    const changed = { ...message, [name]: `${message[name]} ` }
    expect(await reading(theService(pair).fetch)(changed)).toMatchObject(forged)
  })

  it.each(["", "AAAA", "no base64 ¤"])("with the signature %j is forged", async (Signature) => {
    const message = { ...aNotification(event), Signature }
    expect(await reading(theService(pair).fetch)(message)).toMatchObject(forged)
  })

  it("signed by another key is forged", async () => {
    const message = signed(foreign, aNotification(event))
    expect(await reading(theService(pair).fetch)(message)).toMatchObject(forged)
  })

  it.each([
    "http://sns.eu-central-1.amazonaws.com/a.pem",
    "https://sns.eu-central-1.amazonaws.com.example.com/a.pem",
    "https://sns.eu-central-1.amazonaws.com@example.com/a.pem",
    "https://user@sns.eu-central-1.amazonaws.com/a.pem",
    "https://example.com/sns.eu-central-1.amazonaws.com/a.pem",
    "https://snsxeu-central-1.amazonaws.com/a.pem",
    "https://a.sns.eu-central-1.amazonaws.com/a.pem",
    "https://sns.s3.eu-central-1.amazonaws.com/a.pem",
    "https://sns.s3.amazonaws.com/a.pem",
    "https://sns.s3-eu-west-1.amazonaws.com/a.pem",
    "https://sns.s3-external-1.amazonaws.com/a.pem",
    "https://sns.s3-accelerate.amazonaws.com/a.pem",
    "https://sns.eu-central.amazonaws.com/a.pem",
    "https://sns.-eu-central-1.amazonaws.com/a.pem",
    "https://sns.amazonaws.com/a.pem",
    "https://sns.eu-central-1.amazonaws.com:8443/a.pem",
    "https://sns.eu-central-1.amazonaws.com/a.pem?Action=x",
    "https://sns.eu-central-1.amazonaws.com/?Action=x.pem",
    "https://sns.eu-central-1.amazonaws.com/a.pem#b",
    "https://sns.eu-central-1.amazonaws.com/a/../b/c.pem",
    "https://127.0.0.1/a.pem",
    "file:///a.pem",
    "a.pem",
    ""
  ])("with a certificate at %s is refused without a request", async (SigningCertURL) => {
    const { fetch, requests } = theService(pair)
    const message = signed(pair, aNotification(event, { SigningCertURL }))
    expect(await reading(fetch)(message)).toMatchObject(forged)
    expect(requests).toEqual([])
  })

  it.each(["cn-north-1.amazonaws.com.cn", "us-gov-west-1.amazonaws.com", "ap-southeast-3.amazonaws.com"])(
    "is accepted from %s",
    async (region) => {
      const SigningCertURL = `https://sns.${region}/SimpleNotificationService-0a.pem`
      const message = signed(pair, aNotification(event, { SigningCertURL }))
      expect(await reading(theService(pair).fetch)(message)).toMatchObject(reports(key))
    }
  )

  it("is refused with a certificate of another name", async () => {
    const message = signed(foreign, aNotification(event))
    expect(await reading(theService(foreign).fetch)(message)).toMatchObject(forged)
  })

  it("with another version of the signature is refused", async () => {
    const message = signed(pair, aNotification(event, { SignatureVersion: "3" }))
    expect(await reading(theService(pair).fetch)(message)).toMatchObject(refuses("/SignatureVersion"))
  })

  it("of an unknown topic is ignored without a request", async () => {
    const { fetch, requests } = theService(pair)
    const read = reading(fetch, { topics: [`${topic}-of-ours`] })
    expect(await read(signed(pair, aNotification(event)))).toMatchObject(reports())
    expect(await read(signed(pair, aConfirmation()))).toMatchObject(reports())
    expect(requests).toEqual([])
    expect(await reading(fetch, { topics: [topic] })(signed(pair, aNotification(event)))).toMatchObject(reports(key))
  })
})

describe("the certificate of SNS", () => {
  it("is fetched once for messages that arrive together or later", async () => {
    const { fetch, requests } = theService(pair)
    const read = reading(fetch)
    const message = signed(pair, aNotification(event))
    const results = await Promise.all(Array.from({ length: 20 }, () => read(message)))
    expect(await read(message)).toMatchObject(reports(key))
    for (const result of results) expect(result).toMatchObject(reports(key))
    expect(requests).toEqual([certificateUrl])
  })

  it("is refused before and after its life", async () => {
    const read = notificationReader({ fetch: theService(pair).fetch })
    const message = signed(pair, aNotification(event))
    const at = (days: number) =>
      Effect.flatMap(TestClock.setTime(Date.now() + days * 86_400_000), () => Effect.result(read(message)))
    const results = Effect.forEach([-1, 1, 3], at).pipe(Effect.provide(TestClock.layer()))
    const expired = forged
    expect(await Effect.runPromise(results)).toMatchObject([expired, reports(key), expired])
  })

  it.each([
    ["a lost connection", () => Promise.reject(new TypeError("fetch failed"))],
    ["an error", () => new Response("", { status: 500 })],
    ["no certificate", () => new Response("<html>")],
    ["too many bytes", () => new Response("x".repeat(65_537))],
    ["a key that is not RSA", () => new Response(elliptic.certificate)]
  ])("is asked for again after %s", async (_, answer) => {
    let isBroken = true
    const { fetch } = recording(() => (isBroken ? answer() : new Response(pair.certificate)))
    const read = notificationReader({ fetch })
    const message = signed(pair, aNotification(event))
    const results = Effect.gen(function* () {
      yield* TestClock.setTime(Date.now())
      const first = yield* Effect.result(read(message))
      isBroken = false
      yield* TestClock.adjust("2 seconds")
      return [first, yield* Effect.result(read(message))]
    }).pipe(Effect.provide(TestClock.layer()))
    expect(await Effect.runPromise(results)).toMatchObject([unavailable, reports(key)])
  })
})

describe("a subscription", () => {
  it("is confirmed at SNS", async () => {
    const { fetch, requests } = theService(pair)
    expect(await reading(fetch)(signed(pair, aConfirmation()))).toMatchObject(reports())
    expect(requests).toEqual([certificateUrl, subscribeUrl])
  })

  it.each([
    subscribeUrl.replace("https:", "http:"),
    subscribeUrl.replace("amazonaws.com", "amazonaws.com.example.com"),
    subscribeUrl.replace("sns.eu-central-1.amazonaws.com", "127.0.0.1"),
    subscribeUrl.replace("sns.eu-central-1", "sns.s3"),
    subscribeUrl.replace("/?", "/a?"),
    subscribeUrl.replace("ConfirmSubscription", "Publish"),
    subscribeUrl.replace("arrivals", "another"),
    subscribeUrl.replace("Token=", "Token=5"),
    `${subscribeUrl}&Action=Publish`,
    "no address"
  ])("is not confirmed at %s", async (SubscribeURL) => {
    const { fetch, requests } = theService(pair)
    const result = await reading(fetch)(signed(pair, aConfirmation({ SubscribeURL })))
    expect(result).toMatchObject(refuses("/SubscribeURL"))
    expect(requests).toEqual([certificateUrl])
  })

  it("is not confirmed for a forged message", async () => {
    const { fetch, requests } = theService(pair)
    expect(await reading(fetch)(signed(foreign, aConfirmation()))).toMatchObject(forged)
    expect(requests).toEqual([certificateUrl])
  })

  it("that has ended is not begun again", async () => {
    const { fetch, requests } = theService(pair)
    const message = signed(pair, aConfirmation({ Type: "UnsubscribeConfirmation" }))
    expect(await reading(fetch)(message)).toMatchObject(reports())
    expect(requests).toEqual([certificateUrl])
  })

  it("fails while SNS does not confirm, without its token in the error", async () => {
    const { fetch } = recording((url) =>
      url === certificateUrl ? new Response(pair.certificate) : new Response("", { status: 500 })
    )
    const result = await reading(fetch)(signed(pair, aConfirmation()))
    expect(result).toMatchObject(unavailable)
    expect(String(Object(result).failure)).not.toContain("2336412f")
  })
})
