/**
 * A topic of Amazon SNS for tests: signs messages with a key made at run time, and answers the
 * requests of a reader without a network.
 */
import { execFile } from "node:child_process"
import { createSign } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

export interface KeyPair {
  readonly key: string
  readonly certificate: string
}

/** A key and its certificate, signed by itself. */
export const aKeyPair = async (
  folder: string,
  name = "sns.amazonaws.com",
  algorithm = "rsa:2048"
): Promise<KeyPair> => {
  const [key, certificate] = ["key", "crt"].map((kind) => join(folder, `${name}-${algorithm.slice(0, 3)}.${kind}`))
  const curve = algorithm.startsWith("ec") ? ["-pkeyopt", "ec_paramgen_curve:prime256v1"] : []
  const subject = ["-subj", `/O=Amazon.com, Inc./CN=${name}`, "-addext", `subjectAltName=DNS:${name}`]
  const files = ["-keyout", `${key}`, "-out", `${certificate}`]
  const options = ["-x509", "-newkey", algorithm, ...curve, "-nodes", "-days", "2"]
  await run("openssl", ["req", ...options, ...subject, ...files])
  const [keyText = "", certificateText = ""] = await Promise.all(
    [key, certificate].map((path) => readFile(`${path}`, "utf8"))
  )
  return { key: keyText, certificate: certificateText }
}

export type Message = Readonly<Record<string, unknown>>

export const topic = "arn:aws:sns:eu-central-1:123456789012:arrivals"
export const certificateUrl = "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem"
const token = "2336412f37fb687f5d51e6e241d09c805a5a57b30d712f79"
export const subscribeUrl = `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${token}`

const signedMembers: Readonly<Record<string, ReadonlyArray<string>>> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
}

/** The message with its signature, as SNS sends it. */
export const signed = ({ key }: KeyPair, message: Message): Message => {
  const names = (signedMembers[String(message["Type"])] ?? []).filter((name) => name in message)
  const text = names.map((name) => `${name}\n${message[name]}\n`).join("")
  const algorithm = message["SignatureVersion"] === "1" ? "RSA-SHA1" : "RSA-SHA256"
  return { ...message, Signature: createSign(algorithm).update(text).sign(key, "base64") }
}

const common = {
  MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
  TopicArn: topic,
  Timestamp: "2026-11-22T08:00:00.000Z",
  SignatureVersion: "2",
  SigningCertURL: certificateUrl
}

export const aNotification = (event: unknown, overrides: Message = {}): Message => ({
  Type: "Notification",
  ...common,
  Subject: "Amazon S3 Notification",
  Message: typeof event === "string" ? event : JSON.stringify(event),
  UnsubscribeURL: "https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=x",
  ...overrides
})

export const aConfirmation = (overrides: Message = {}): Message => ({
  Type: "SubscriptionConfirmation",
  ...common,
  Message: `You have chosen to subscribe to the topic ${topic}.`,
  SubscribeURL: subscribeUrl,
  Token: token,
  ...overrides
})

type Answer = (url: string) => Response | Promise<Response>

/** A stand-in for `fetch` with the requests that it got. */
export const recording = (answer: Answer) => {
  const requests: Array<string> = []
  const inits: Array<RequestInit> = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    requests.push(url)
    inits.push(init)
    return answer(url)
  }
  return { requests, inits, fetch }
}

/** Serves the certificate, and confirms subscriptions. */
export const theService = ({ certificate }: KeyPair) =>
  recording((url) => new Response(url.endsWith(".pem") ? certificate : "<ConfirmSubscriptionResponse/>"))
