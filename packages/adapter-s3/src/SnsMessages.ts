/**
 * Messages of Amazon SNS over HTTP, and their signatures (Amazon SNS developer guide, "Verifying
 * the signatures of Amazon SNS messages"). Nothing is fetched here.
 */
import { constants, verify, X509Certificate } from "node:crypto"
import { Schema } from "effect"
import { decoding } from "./S3Events.ts"

// A region, such as us-gov-west-1. Other names in this place are hosts of buckets, such as sns.s3.
const host = /^sns\.[a-z]{2}(?:-[a-z]{1,20}){1,3}-[0-9]{1,2}\.amazonaws\.com(?:\.cn)?$/

/** The address when it is one of SNS over https, on the default port and without credentials. */
const snsAddress = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === "https:" && host.test(url.host) && url.username === "" && url.password === ""
    ? url
    : undefined
}

/** True of the address of a certificate at SNS itself. */
export const isCertificateAddress = (text: string): boolean => {
  const url = snsAddress(text)
  // A query could make the host repeat a certificate of the sender.
  return url !== undefined && /^\/[\w-]+\.pem$/.test(url.pathname) && url.search === "" && url.hash === ""
}

const signed = {
  MessageId: Schema.String,
  TopicArn: Schema.String,
  Message: Schema.String,
  Timestamp: Schema.String,
  SignatureVersion: Schema.Literals(["1", "2"]),
  Signature: Schema.String,
  SigningCertURL: Schema.String
}

const Notification = Schema.Struct({
  ...signed,
  Type: Schema.Literal("Notification"),
  Subject: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const Confirmation = Schema.Struct({
  ...signed,
  Type: Schema.Literals(["SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  SubscribeURL: Schema.String,
  Token: Schema.String
})
export type SnsConfirmation = typeof Confirmation.Type

export type SnsMessage = typeof Notification.Type | SnsConfirmation

export const decodeNotification = decoding(Notification)
export const decodeConfirmation = decoding(Confirmation)

/** True of the address that confirms a subscription to the topic of the message, at SNS itself. */
export const isConfirmationAddress = ({ SubscribeURL, Token, TopicArn }: SnsConfirmation): boolean => {
  const url = snsAddress(SubscribeURL)
  const expected = { Action: "ConfirmSubscription", TopicArn, Token }
  return (
    url?.pathname === "/" &&
    Object.entries(expected).every(([name, value]) => {
      const given = url.searchParams.getAll(name)
      return given.length === 1 && given[0] === value
    })
  )
}

/** Signed members in alphabetical order, each as a line with its name and a line with its value. */
const signedText = (message: SnsMessage): string => {
  const { Message, MessageId, Timestamp, TopicArn, Type } = message
  const members =
    message.Type === "Notification"
      ? { Message, MessageId, Subject: message.Subject, Timestamp, TopicArn, Type }
      : { Message, MessageId, SubscribeURL: message.SubscribeURL, Timestamp, Token: message.Token, TopicArn, Type }
  return Object.entries(members)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `${name}\n${value}\n`)
    .join("")
}

const names = /(?:^CN=|DNS:)sns[\w.-]*\.amazonaws\.com(?:\.cn)?(?:,|$)/m

/**
 * True of a certificate of SNS that is valid now, in milliseconds. Its issuer is not followed: SNS
 * serves the certificate without the intermediate ones.
 */
export const isCertificateOfSns = (certificate: X509Certificate, now: number): boolean =>
  names.test(`${certificate.subject}\n${certificate.subjectAltName ?? ""}`) &&
  certificate.validFromDate.getTime() <= now &&
  now <= certificate.validToDate.getTime()

/** Throws unless the text is a certificate with an RSA key. */
export const certificateOf = (pem: string): X509Certificate => {
  const certificate = new X509Certificate(pem)
  if (certificate.publicKey.asymmetricKeyType !== "rsa") throw new Error("the certificate has no RSA key")
  return certificate
}

export const isSignedBy = (message: SnsMessage, { publicKey }: X509Certificate): boolean =>
  verify(
    message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256",
    Buffer.from(signedText(message)),
    { key: publicKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(message.Signature, "base64")
  )
