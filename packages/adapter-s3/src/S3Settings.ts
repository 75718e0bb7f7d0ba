/** Environment variables of the store (specification, section 9). */
import { Flag, httpAddress, textThat } from "@solar-sites/core/options"
import { Config, Option } from "effect"
import type { S3LayerOptions } from "./S3Options.ts"

const Bucket = textThat(
  (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(text),
  "must be the name of a bucket"
)

const Region = textThat((text) => /^[A-Za-z0-9-]+$/.test(text), "must be the name of a region, such as eu-central-1")

/**
 * `S3_BUCKET`, which is required, `S3_ENDPOINT`, `S3_REGION`, `S3_FORCE_PATH_STYLE` and
 * `S3_SINGLE_USE`.
 */
export const settings = {
  bucket: Config.schema(Bucket, "S3_BUCKET"),
  endpoint: Config.option(Config.schema(httpAddress("https://s3.example.com"), "S3_ENDPOINT")),
  region: Config.option(Config.schema(Region, "S3_REGION")),
  forcePathStyle: Config.option(Config.schema(Flag, "S3_FORCE_PATH_STYLE")),
  singleUse: Config.schema(Flag, "S3_SINGLE_USE").pipe(Config.withDefault(true))
}

/** The options of `layer` for the settings. Credentials are those of the AWS chain. */
export const optionsOf = (given: {
  readonly bucket: string
  readonly endpoint: Option.Option<string>
  readonly region: Option.Option<string>
  readonly forcePathStyle: Option.Option<boolean>
  readonly singleUse: boolean
}): S3LayerOptions => ({
  bucket: given.bucket,
  singleUse: given.singleUse,
  ...Option.match(given.endpoint, { onNone: () => ({}), onSome: (endpoint) => ({ endpoint }) }),
  ...Option.match(given.region, { onNone: () => ({}), onSome: (region) => ({ region }) }),
  ...Option.match(given.forcePathStyle, { onNone: () => ({}), onSome: (forcePathStyle) => ({ forcePathStyle }) })
})
