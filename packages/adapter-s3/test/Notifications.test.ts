import { notificationReader } from "@solar-sites/adapter-s3/notifications"
import { Effect, Exit, Result } from "effect"
import { describe, expect, it } from "vitest"
import { aKey } from "./Setup.ts"

const bucket = "solar-documents"
const [key, other] = [aKey(), aKey()]

const record = (eventName: string, name: string, objectKey: unknown) => ({
  eventVersion: "2.1",
  eventName,
  s3: { bucket: { name }, object: { key: objectKey, size: 5 } }
})

const event = (detailType: string, detail: unknown) => ({
  version: "0",
  source: "aws.s3",
  "detail-type": detailType,
  detail
})

const read = (body: unknown) => Effect.runSync(Effect.result(notificationReader({ bucket })(body)))
const keysIn = (body: unknown) => Result.getOrThrow(read(body))

describe("a notification of S3", () => {
  it.each([
    ["Amazon S3", { Records: [record("ObjectCreated:Put", bucket, key)] }],
    ["Ceph", { Records: [{ ...record("ObjectCreated:Put", bucket, key), eventSource: "ceph:s3", opaqueData: "" }] }],
    [
      "MinIO",
      {
        EventName: "s3:ObjectCreated:Put",
        Key: `${bucket}/${key}`,
        Records: [record("s3:ObjectCreated:Put", bucket, encodeURIComponent(key))]
      }
    ],
    ["EventBridge", event("Object Created", { bucket: { name: bucket }, object: { key }, reason: "PutObject" })]
  ])("by %s reports the key", (_, body) => {
    expect(keysIn(body)).toEqual([key])
  })

  it("reports each of its records", () => {
    const Records = [key, other].map((one) => record("ObjectCreated:CompleteMultipartUpload", bucket, one))
    expect(keysIn({ Records })).toEqual([key, other])
  })

  it("encodes keys in records, and not in events of EventBridge", () => {
    const encoded = "a+b%2B%C3%BC/100%25"
    expect(keysIn({ Records: [record("ObjectCreated:Put", bucket, encoded)] })).toEqual(["a b+ü/100%"])
    expect(keysIn(event("Object Created", { bucket: { name: bucket }, object: { key: encoded } }))).toEqual([encoded])
  })

  it("may hold a key that is not encoded, as of Ceph", () => {
    expect(keysIn({ Records: [record("ObjectCreated:Put", bucket, "100%")] })).toEqual(["100%"])
  })

  it("of another bucket reports nothing, unless no bucket is set", () => {
    const body = { Records: [record("ObjectCreated:Put", "another", key)] }
    expect(keysIn(body)).toEqual([])
    expect(Effect.runSync(notificationReader()(body))).toEqual([key])
  })

  it.each([
    ["a deletion", { Records: [record("ObjectRemoved:Delete", bucket, key)] }],
    ["a deletion by EventBridge", event("Object Deleted", { bucket: { name: bucket } })],
    ["no record", { Records: [] }],
    ["a test", { Service: "Amazon S3", Event: "s3:TestEvent", Bucket: bucket }]
  ])("about %s reports nothing", (_, body) => {
    expect(keysIn(body)).toEqual([])
  })

  it.each([
    [null, ""],
    [5, ""],
    ["Records", ""],
    [[], ""],
    [{}, ""],
    [{ Event: "s3:OtherEvent" }, ""],
    [{ Records: {} }, "/Records"],
    [{ Records: [null] }, "/Records/0"],
    [{ Records: [record("ObjectCreated:Put", bucket, 5)] }, "/Records/0/s3/object/key"],
    [{ Records: Array.from({ length: 1_001 }, () => record("ObjectCreated:Put", bucket, key)) }, "/Records"],
    [{ ...event("Object Created", { bucket: { name: bucket } }), source: "aws.ec2" }, "/source"],
    [event("Object Created", { bucket: { name: bucket } }), "/detail/object"],
    [{ Type: "Another" }, "/Type"]
  ])("is none of these: %j", (body, pointer) => {
    const { failure } = Object(read(body))
    expect(failure).toMatchObject({ _tag: "ValidationFailed" })
    expect(Object(failure).faults.map((fault: { readonly pointer: string }) => fault.pointer)).toContain(pointer)
  })

  it("may nest deep and have unknown members", () => {
    const deep = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)
    const body = { Records: [{ ...record("ObjectCreated:Put", bucket, key), deep }], deep }
    expect(Exit.isSuccess(Effect.runSyncExit(notificationReader({ bucket })(body)))).toBe(true)
  })
})

describe("the reader of notifications", () => {
  it.each([
    [{ bucket: "" }, /^bucket of the notifications of S3 must be the name of a bucket/],
    [{ topics: "arn" }, /^topics of the notifications of S3 must be a list such as/],
    [{ fetch: "https" }, /^fetch of the notifications of S3 must be a function/],
    [{ buckets: [] }, /has no option buckets/]
  ])("refuses %j", (options, sentence) => {
    expect(() => notificationReader(options as never)).toThrow(sentence)
  })
})
