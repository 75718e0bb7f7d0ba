/**
 * Checks the options of the S3 adapter. An error never shows a given text.
 */
import type { S3Client } from "@aws-sdk/client-s3"
import { httpAddressForm, isHttpAddress, optionCheck, secretValue } from "@solar-sites/core/options"
import { Effect } from "effect"
import type { S3BucketOptions, S3LayerOptions } from "./S3Options.ts"

const { duration, names, need } = optionCheck("the S3 storage")

const isText = (given: unknown): boolean => typeof given === "string" && given.trim() !== ""

const bucketNames: Readonly<Record<keyof S3BucketOptions, true>> = {
  bucket: true,
  singleUse: true,
  publicEndpoint: true,
  timeout: true
}

const layerNames: Readonly<Record<keyof S3LayerOptions, true>> = {
  ...bucketNames,
  endpoint: true,
  region: true,
  forcePathStyle: true,
  credentials: true,
  connectTimeout: true,
  attemptTimeout: true
}

const checkAddress = (option: "endpoint" | "publicEndpoint", given: unknown): void =>
  need(given === undefined || isHttpAddress(given), option, httpAddressForm('"https://s3.example.com"'), given)

const checkFlag = (option: "singleUse" | "forcePathStyle", given: unknown): void =>
  need(given === undefined || typeof given === "boolean", option, "true or false", given)

const checkBucket = ({ bucket, publicEndpoint, singleUse, timeout }: S3BucketOptions): void => {
  // The ARN of an access point names a bucket, too.
  const isBucket = typeof bucket === "string" && /^(arn:\S+|[^\s/:]+)$/.test(bucket)
  need(isBucket, "bucket", 'the name of a bucket, such as "solar-documents"', bucket)
  checkFlag("singleUse", singleUse)
  checkAddress("publicEndpoint", publicEndpoint)
  duration("timeout", timeout)
}

/** Checks the options beside a client of the host. */
export const checkBucketOptions = (options: S3BucketOptions): void => {
  names(options, bucketNames)
  checkBucket(options)
}

/** Checks the options of a client to be opened. */
export const checkLayerOptions = (options: S3LayerOptions): void => {
  names(options, layerNames)
  checkBucket(options)
  const { attemptTimeout, connectTimeout, credentials, endpoint, forcePathStyle, region } = options
  checkAddress("endpoint", endpoint)
  need(region === undefined || isText(region), "region", 'the name of one, such as "eu-central-1"', region)
  checkFlag("forcePathStyle", forcePathStyle)
  duration("connectTimeout", connectTimeout)
  duration("attemptTimeout", attemptTimeout)
  // A provider is a function, called when something is signed.
  if (credentials === undefined || typeof credentials === "function") return
  for (const member of ["accessKeyId", "secretAccessKey"]) {
    const part = secretValue(Reflect.get(Object(credentials), member))
    need(isText(part), `credentials.${member}`, "its text, or credentials be left out for the AWS chain", part)
  }
}

/**
 * The SDK looks for a region in the environment and in shared files; it sends no request for it.
 */
export const checkRegion = ({ config }: S3Client): Effect.Effect<void> =>
  Effect.promise(() =>
    config.region().catch(() => {
      throw new TypeError(
        'The S3 storage needs the region of its bucket: give one, such as { region: "eu-central-1" }, or set AWS_REGION'
      )
    })
  )
