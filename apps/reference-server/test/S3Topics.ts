/**
 * Topics of the Ceph object gateway, which sends notifications of a bucket to an HTTP address. The
 * gateway takes them by the API of Amazon SNS.
 */
import { createHash, createHmac } from "node:crypto"
import { PutBucketNotificationConfigurationCommand, S3Client } from "@aws-sdk/client-s3"
import { theServer } from "./S3Server.ts"

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
const digest = (text: string) => createHash("sha256").update(text).digest("hex")

/** Sends a request of the SNS API, with a signature of version 4. */
const askSns = async (parameters: Readonly<Record<string, string>>): Promise<string> => {
  const { accessKeyId, endpoint, region, secretAccessKey } = theServer()
  const body = new URLSearchParams(parameters).toString()
  const moment = new Date().toISOString().replace(/[-:]|\.\d{3}/g, "")
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    host: new URL(endpoint).host,
    "x-amz-content-sha256": digest(body),
    "x-amz-date": moment
  }
  const names = Object.keys(headers).join(";")
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = `POST\n/\n\n${lines.join("")}\n${names}\n${digest(body)}`
  const parts = [moment.slice(0, 8), region, "sns", "aws4_request"]
  const key = parts.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const scope = parts.join("/")
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${digest(canonical)}`).toString("hex")
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  const response = await fetch(endpoint, { method: "POST", headers: { ...headers, authorization }, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`the gateway answered ${response.status}: ${text}`)
  return text
}

/** Creates a topic that sends to the address; returns its ARN. */
export const createTopic = async (name: string, attributes: Readonly<Record<string, string>>): Promise<string> => {
  const entries = Object.entries(attributes).flatMap(([key, value], index) => [
    [`Attributes.entry.${index + 1}.key`, key],
    [`Attributes.entry.${index + 1}.value`, value]
  ])
  const text = await askSns({ Action: "CreateTopic", Name: name, ...Object.fromEntries(entries) })
  return /<TopicArn>(.*?)<\/TopicArn>/.exec(text)?.[1] ?? ""
}

export interface Subscription {
  readonly topic: string
  /** Beginning of the keys to report. */
  readonly prefix: string
}

/** Lets a bucket report created objects to topics. */
export const notify = async (bucket: string, subscriptions: ReadonlyArray<Subscription>): Promise<void> => {
  const { accessKeyId, endpoint, region, secretAccessKey } = theServer()
  const client = new S3Client({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true })
  const TopicConfigurations = subscriptions.map(({ prefix, topic }, index) => ({
    Id: `arrivals-${index}`,
    TopicArn: topic,
    Events: ["s3:ObjectCreated:*" as const],
    Filter: { Key: { FilterRules: [{ Name: "prefix" as const, Value: prefix }] } }
  }))
  const NotificationConfiguration = { TopicConfigurations }
  await client.send(new PutBucketNotificationConfigurationCommand({ Bucket: bucket, NotificationConfiguration }))
  client.destroy()
}
