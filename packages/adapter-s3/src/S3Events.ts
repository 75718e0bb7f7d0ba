/**
 * Bodies of S3 event notifications: plain JSON as of Amazon S3, Ceph and MinIO, and events of
 * EventBridge. Unknown members are ignored, because each store adds its own.
 */
import { faultsOf, ValidationFailed } from "@solar-sites/core"
import { Effect, Result, Schema, SchemaParser } from "effect"

/** An object that was created. */
export interface Arrival {
  readonly bucket: string
  readonly key: string
}

const maximumRecords = 1_000

const Target = Schema.Struct({
  bucket: Schema.Struct({ name: Schema.String }),
  object: Schema.Struct({ key: Schema.String })
})

const Records = Schema.Struct({
  Records: Schema.Array(Schema.Struct({ eventName: Schema.String, s3: Target })).check(
    Schema.isMaxLength(maximumRecords, { message: `must have at most ${maximumRecords} records` })
  )
})

const EventBridgeEvent = Schema.Struct({ source: Schema.Literal("aws.s3"), "detail-type": Schema.String })

const ObjectCreated = Schema.Struct({ detail: Target })

export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined

export const invalid = (pointer: string, detail: string) =>
  Effect.fail(new ValidationFailed({ faults: [{ pointer, code: "invalid_value", detail }] }))

/** Decodes a body; fails with all its faults. */
export const decoding = <A>(
  schema: Schema.Codec<A, unknown>
): ((body: unknown) => Effect.Effect<A, ValidationFailed>) => {
  const decode = SchemaParser.decodeUnknownResult(schema, { errors: "all" })
  return (body) => {
    const decoded = decode(body)
    return Result.isSuccess(decoded)
      ? Effect.succeed(decoded.success)
      : Effect.fail(new ValidationFailed({ faults: faultsOf(decoded.failure) }))
  }
}

const decodeRecords = decoding(Records)
const decodeEvent = decoding(EventBridgeEvent)
const decodeCreated = decoding(ObjectCreated)

/** In records keys are encoded as in a form. Ceph 16 does not encode them. */
const decodeKey = (key: string): string => {
  try {
    return decodeURIComponent(key.replaceAll("+", " "))
  } catch {
    return key
  }
}

const arrivalsInRecords = (body: unknown) =>
  Effect.map(decodeRecords(body), ({ Records }) =>
    Records.filter(({ eventName }) => /^(?:s3:)?ObjectCreated:/.test(eventName)).map(
      ({ s3: { bucket, object } }): Arrival => ({ bucket: bucket.name, key: decodeKey(object.key) })
    )
  )

const arrivalsInEvent = Effect.fnUntraced(function* (body: unknown) {
  const event = yield* decodeEvent(body)
  if (event["detail-type"] !== "Object Created") return []
  const { bucket, object } = (yield* decodeCreated(body)).detail
  return [{ bucket: bucket.name, key: object.key }]
})

/** The objects that a body reports as created. Other events and the test event of S3 report none. */
export const arrivalsIn = (body: unknown): Effect.Effect<ReadonlyArray<Arrival>, ValidationFailed> => {
  if (memberOf(body, "Records") !== undefined) return arrivalsInRecords(body)
  if (memberOf(body, "detail-type") !== undefined) return arrivalsInEvent(body)
  if (memberOf(body, "Event") === "s3:TestEvent") return Effect.succeed([])
  return invalid("", "must be a notification of S3, as sent by the store, Amazon SNS or EventBridge")
}
