/**
 * The settings of the store from the environment (specification, section 9).
 */
import { Config, Option, Schema } from "effect"
import { isAddress } from "./S3OptionCheck.ts"
import type { S3LayerOptions } from "./S3Options.ts"

const Bucket = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/, { message: "must be the name of a bucket" })
)

const Endpoint = Schema.String.check(
  Schema.makeFilter(isAddress, {
    message: "must be an http or https address, such as https://s3.example.com"
  })
)

const Region = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9-]+$/, { message: "must be the name of a region, such as eu-central-1" })
)

const flag = (name: string) =>
  Config.schema(
    Schema.String.check(Schema.isPattern(/^(true|false)$/, { message: "must be true or false" })),
    name
  ).pipe(Config.map((text) => text === "true"))

const members = Config.all({
  bucket: Config.schema(Bucket, "S3_BUCKET"),
  endpoint: Config.option(Config.schema(Endpoint, "S3_ENDPOINT")),
  region: Config.option(Config.schema(Region, "S3_REGION")),
  forcePathStyle: Config.option(flag("S3_FORCE_PATH_STYLE")),
  singleUse: Config.withDefault(flag("S3_SINGLE_USE"), true)
})

/** `S3_BUCKET` is required; the others have the documented defaults, credentials the usual AWS chain. */
export const fromEnvironment: Config.Config<S3LayerOptions> = Config.map(
  members,
  ({ bucket, endpoint, forcePathStyle, region, singleUse }) => ({
    bucket,
    singleUse,
    ...Option.match(endpoint, { onNone: () => ({}), onSome: (value) => ({ endpoint: value }) }),
    ...Option.match(region, { onNone: () => ({}), onSome: (value) => ({ region: value }) }),
    ...Option.match(forcePathStyle, { onNone: () => ({}), onSome: (value) => ({ forcePathStyle: value }) })
  })
)
