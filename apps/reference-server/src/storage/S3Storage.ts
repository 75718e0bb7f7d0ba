/**
 * Storage in a bucket, checked before the server starts: invalid configuration
 * stops the start, an outage does not.
 */
import { check, layer as layerOf, type S3Bucket, type S3LayerOptions } from "@solar-sites/adapter-s3"
import { optionsOf } from "@solar-sites/adapter-s3/settings"
import { DocumentStorage, type StorageError } from "@solar-sites/core"
import { Cause, Effect, Layer, Result } from "effect"
import type { S3Settings } from "../configuration/Settings.ts"
import { Failure } from "../Failure.ts"
import { probe } from "./Probe.ts"

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** True if the store was not reached or failed with 5xx; false if it refused the request. */
const isOutage = ({ cause }: StorageError): boolean => {
  const status = member(member(cause, "$metadata"), "httpStatusCode")
  return typeof status === "number" ? status >= 500 : member(cause, "name") !== "CredentialsProviderError"
}

const checkBucket: Effect.Effect<void, Failure, DocumentStorage | S3Bucket> = Effect.gen(function* () {
  const findings = yield* check
  const failures = findings.filter(({ severity }) => severity === "failure").map(({ message }) => message)
  for (const { message, severity } of findings) if (severity === "warning") yield* Effect.logWarning(message)
  if (failures.length === 0) return
  const message = failures.join(" ")
  const reached = yield* Effect.result(DocumentStorage.use(probe))
  if (Result.isSuccess(reached) || !isOutage(reached.failure)) return yield* new Failure({ message })
  yield* Effect.logError(`${message} The server starts; requests for files fail until the store is available.`)
})

/** The settings validate all other options. */
const regionMissing = new Failure({
  message: "S3_REGION must be the name of a region, such as eu-central-1; the AWS configuration has none."
})

const open = (options: S3LayerOptions) =>
  Layer.catchCause(layerOf(options), (cause) =>
    Layer.effectContext(Cause.squash(cause) instanceof TypeError ? Effect.fail(regionMissing) : Effect.failCause(cause))
  )

/** Opens the bucket with credentials of the AWS chain. */
export const layer = (bucket: string, settings: S3Settings): Layer.Layer<DocumentStorage, Failure> =>
  Layer.effectDiscard(checkBucket).pipe(Layer.provideMerge(open(optionsOf({ ...settings, bucket }))))
