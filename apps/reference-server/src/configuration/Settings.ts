/**
 * Every setting of the server (specification, section 9), read once from the
 * environment. An empty variable counts as not set.
 *
 * @since 0.1.0
 */
import { faultsOf, type UploadPolicySettings } from "@solar-sites/core"
import { Config, ConfigProvider, Duration, Effect, type Option, type Redacted, Schema } from "effect"
import { Failure } from "../Failure.ts"
import { PositiveDurationText } from "./DurationText.ts"
import {
  BearerToken,
  Bucket,
  DatabaseSchema,
  DatabaseUrl,
  Flag,
  Host,
  Origins,
  OtlpEndpoint,
  PlainLine,
  Proxies,
  PublicUrl,
  RedisUrl,
  S3Endpoint,
  S3Region,
  TileUrl,
  wholeNumber
} from "./SettingSchemas.ts"
import { SizeText } from "./SizeText.ts"

/** `url` holds a password. */
interface DatabaseSettings {
  readonly url: Option.Option<Redacted.Redacted<string>>
  readonly schema: string
  readonly poolSize: number
  readonly pooler: "session" | "transaction"
  readonly queryTimeout: Duration.Duration
}

/**
 * What is none is left to the AWS SDK. `singleUse` off is for stores that refuse
 * a signed `If-None-Match`.
 *
 * @category models
 * @since 0.1.0
 */
export interface S3Settings {
  readonly bucket: Option.Option<string>
  readonly endpoint: Option.Option<string>
  readonly region: Option.Option<string>
  readonly forcePathStyle: Option.Option<boolean>
  readonly singleUse: boolean
}

/**
 * `format` is decided by the terminal when it is not set.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogSettings {
  readonly level: "trace" | "debug" | "info" | "warn" | "error" | "none"
  readonly format: Option.Option<"json" | "pretty">
}

/** Who may ask, from where and how often. A `rateLimitPerMinute` of 0 switches the limits off. */
interface AccessSettings {
  readonly rateLimitPerMinute: number
  readonly corsOrigins: ReadonlyArray<string>
  readonly trustedProxies: ReadonlyArray<string>
  readonly metricsToken: Option.Option<Redacted.Redacted<string>>
}

/**
 * `isOn` is whether there are pages for people at all. Without tiles the map has
 * the outlines that it brings along.
 *
 * @category models
 * @since 0.1.0
 */
export interface ConsoleSettings {
  readonly isOn: boolean
  readonly mapTileUrl: Option.Option<string>
  readonly mapAttribution: Option.Option<string>
}

/**
 * `publicUrl` has no slash at its end; without one the listening address stands
 * in. Without `database.url` the database is embedded in `dataDirectory`, and
 * without `s3.bucket` files are kept there. `redisUrl` can hold a password.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly publicUrl: Option.Option<string>
  readonly dataDirectory: string
  readonly database: DatabaseSettings
  readonly s3: S3Settings
  readonly uploads: UploadPolicySettings
  readonly redisUrl: Option.Option<Redacted.Redacted<string>>
  readonly access: AccessSettings
  readonly console: ConsoleSettings
  readonly otlpEndpoint: Option.Option<string>
}

/**
 * @category configuration
 * @since 0.1.0
 */
export const logSettings: Config.Config<LogSettings> = Config.all({
  level: Config.schema(Schema.Literals(["trace", "debug", "info", "warn", "error", "none"]), "LOG_LEVEL").pipe(
    Config.withDefault("info")
  ),
  format: Config.schema(Schema.Literals(["json", "pretty"]), "LOG_FORMAT").pipe(Config.option)
})

/**
 * @category configuration
 * @since 0.1.0
 */
export const settings: Config.Config<Settings> = Config.all({
  host: Config.schema(Host, "HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.schema(wholeNumber(0, 65_535), "PORT").pipe(Config.withDefault(3_000)),
  publicUrl: Config.schema(PublicUrl, "PUBLIC_URL").pipe(Config.option),
  dataDirectory: Config.String("DATA_DIR").pipe(Config.withDefault("./data")),
  database: Config.all({
    url: Config.schema(Schema.RedactedFromValue(DatabaseUrl), "DATABASE_URL").pipe(Config.option),
    schema: Config.schema(DatabaseSchema, "DATABASE_SCHEMA").pipe(Config.withDefault("solar")),
    poolSize: Config.schema(wholeNumber(1, 1_000), "DATABASE_POOL_SIZE").pipe(Config.withDefault(10)),
    pooler: Config.schema(Schema.Literals(["session", "transaction"]), "DATABASE_POOLER").pipe(
      Config.withDefault("session")
    ),
    queryTimeout: Config.schema(PositiveDurationText, "QUERY_TIMEOUT").pipe(Config.withDefault(Duration.seconds(5)))
  }),
  s3: Config.all({
    bucket: Config.schema(Bucket, "S3_BUCKET").pipe(Config.option),
    endpoint: Config.schema(S3Endpoint, "S3_ENDPOINT").pipe(Config.option),
    region: Config.schema(S3Region, "S3_REGION").pipe(Config.option),
    forcePathStyle: Config.schema(Flag, "S3_FORCE_PATH_STYLE").pipe(Config.option),
    singleUse: Config.schema(Flag, "S3_SINGLE_USE").pipe(Config.withDefault(true))
  }),
  uploads: Config.all({
    maximumFileBytes: Config.schema(SizeText, "MAX_FILE_SIZE").pipe(Config.withDefault(100 * 1_048_576)),
    maximumCoverBytes: Config.schema(SizeText, "MAX_COVER_SIZE").pipe(Config.withDefault(20 * 1_048_576)),
    grace: Config.schema(PositiveDurationText, "UPLOAD_GRACE").pipe(Config.withDefault(Duration.minutes(15)))
  }),
  redisUrl: Config.schema(Schema.RedactedFromValue(RedisUrl), "REDIS_URL").pipe(Config.option),
  access: Config.all({
    rateLimitPerMinute: Config.schema(wholeNumber(0, 1_000_000), "RATE_LIMIT_PER_MINUTE").pipe(Config.withDefault(600)),
    corsOrigins: Config.schema(Origins, "CORS_ORIGINS").pipe(Config.withDefault([])),
    trustedProxies: Config.schema(Proxies, "TRUSTED_PROXIES").pipe(Config.withDefault([])),
    metricsToken: Config.schema(Schema.RedactedFromValue(BearerToken), "METRICS_TOKEN").pipe(Config.option)
  }),
  console: Config.all({
    isOn: Config.schema(Flag, "CONSOLE").pipe(Config.withDefault(true)),
    mapTileUrl: Config.schema(TileUrl, "MAP_TILE_URL").pipe(Config.option),
    mapAttribution: Config.schema(PlainLine, "MAP_ATTRIBUTION").pipe(Config.option)
  }),
  otlpEndpoint: Config.schema(OtlpEndpoint, "OTEL_EXPORTER_OTLP_ENDPOINT").pipe(Config.option)
})

/** "PORT must be a whole number from 0 to 65535." The value is left out: it can be a password. */
const sentenceOf = ({ cause }: Config.ConfigError): string => {
  if (cause._tag === "SourceError") return "The environment cannot be read."
  const [{ detail, pointer }] = faultsOf(cause.issue)
  return `${pointer.slice(1)} ${detail}.`
}

/**
 * Reads settings from the environment; a wrong value fails with a sentence that
 * says which variable and why.
 *
 * @category configuration
 * @since 0.1.0
 */
export const fromEnvironment = <A>(config: Config.Config<A>): Effect.Effect<A, Failure> =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (provider) => config.parse(provider)).pipe(
    Effect.mapError((error) => new Failure({ sentence: sentenceOf(error) }))
  )
