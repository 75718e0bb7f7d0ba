/**
 * Refuses options that no store could be reached with, in one sentence each that
 * says what to give: a host without types would hear of them from the SDK, at
 * its first upload. What was given is told by its kind alone, since an address
 * can hold a password.
 */
import type { S3Client } from "@aws-sdk/client-s3"
import { Effect } from "effect"
import type { S3BucketOptions, S3LayerOptions } from "./S3Options.ts"

const need = (isGood: boolean, option: string, needed: string, given: unknown): void => {
  if (isGood) return
  const kind = typeof given === "string" ? (given === "" ? "an empty text" : "another text") : typeof given
  throw new TypeError(`${option} of the S3 storage must be ${needed}; it is ${kind}`)
}

const isText = (given: unknown): boolean => typeof given === "string" && given.trim() !== ""

/** True of an http or https address. */
export const isAddress = (given: unknown): boolean =>
  typeof given === "string" && /^https?:\/\//.test(given) && URL.canParse(given)

const checkEndpoint = (option: "endpoint" | "publicEndpoint", given: unknown): void =>
  need(
    given === undefined || isAddress(given),
    option,
    'an http or https address, such as "https://s3.example.com"',
    given
  )

/** Of a client that the host has opened. */
export const checkBucketOptions = (options: S3BucketOptions): void => {
  const { bucket, publicEndpoint }: Partial<S3BucketOptions> = Object(options)
  // It may also be named by the ARN of an access point.
  const isBucket = typeof bucket === "string" && /^(arn:\S+|[^\s/:]+)$/.test(bucket)
  need(isBucket, "bucket", 'the name of a bucket, such as "solar-documents"', bucket)
  checkEndpoint("publicEndpoint", publicEndpoint)
}

/** Of a client to be opened. */
export const checkLayerOptions = (options: S3LayerOptions): void => {
  checkBucketOptions(options)
  const { credentials, endpoint, region } = options
  checkEndpoint("endpoint", endpoint)
  need(region === undefined || isText(region), "region", 'the name of one, such as "eu-central-1"', region)
  // A provider is asked when there is something to sign.
  if (credentials === undefined || typeof credentials === "function") return
  for (const member of ["accessKeyId", "secretAccessKey"]) {
    const part: unknown = Object(credentials)[member]
    need(isText(part), `credentials.${member}`, "the text of it, or credentials be left out for the AWS chain", part)
  }
}

/** The SDK looks for a region in the environment and in shared files, and asks nobody. */
export const checkRegion = ({ config }: S3Client): Effect.Effect<void> =>
  Effect.promise(() =>
    config.region().catch(() => {
      throw new TypeError(
        'The S3 storage needs the region of its bucket: give one, such as { region: "eu-central-1" }, or set AWS_REGION'
      )
    })
  )
