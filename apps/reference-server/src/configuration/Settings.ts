/**
 * The settings of the server (specification, section 9), read once from the environment. Each
 * adapter declares its own settings; they are optional here. An empty variable counts as not set.
 */
import { settings as filesystem } from "@solar-sites/adapter-filesystem/settings"
import { settings as postgres } from "@solar-sites/adapter-postgres/settings"
import { settings as redis } from "@solar-sites/adapter-redis/settings"
import { settings as s3 } from "@solar-sites/adapter-s3/settings"
import { EventRetention, faultsOf, UploadPolicy } from "@solar-sites/core"
import { dataDirectory, Flag, PositiveDurationText, wholeNumber } from "@solar-sites/core/options"
import { settings as webhooks } from "@solar-sites/http-node/webhooks"
import { Config, ConfigProvider, Effect, Schema } from "effect"
import { fallbackLanguage } from "../console/Language.ts"
import { Failure } from "../Failure.ts"
import { mailSettings } from "../mail/MailSettings.ts"
import { mailLanguages } from "../mail/texts/languages.ts"
import { loginSettings } from "./LoginSettings.ts"
import { BearerToken, Host, Origins, OtlpEndpoint, PlainLine, Proxies, TileUrl, TimeZone } from "./SettingSchemas.ts"
import { SizeText } from "./SizeText.ts"

/** Without `format`, logs are pretty on a terminal and JSON elsewhere. */
export const logSettings = Config.all({
  level: Config.schema(Schema.Literals(["trace", "debug", "info", "warn", "error", "none"]), "LOG_LEVEL").pipe(
    Config.withDefault("info")
  ),
  format: Config.schema(Schema.Literals(["json", "pretty"]), "LOG_FORMAT").pipe(Config.option)
})

export type LogSettings = Config.Success<typeof logSettings>

const uploads = UploadPolicy.defaultValue()

export const settings = Config.all({
  host: Config.schema(Host, "HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.schema(wholeNumber(0, 65_535), "PORT").pipe(Config.withDefault(3_000)),
  // Without it, the listening address. It has no slash at its end.
  publicUrl: Config.option(filesystem.publicUrl),
  dataDirectory,
  // Without `url`, which holds a password, an embedded database in `dataDirectory`.
  database: Config.all({ ...postgres, url: Config.option(postgres.url) }),
  // Without `bucket`, files in `dataDirectory`. The AWS SDK decides about other missing values.
  s3: Config.all({ ...s3, bucket: Config.option(s3.bucket) }),
  uploads: Config.all({
    maximumFileBytes: Config.schema(SizeText, "MAX_FILE_SIZE").pipe(Config.withDefault(uploads.maximumFileBytes)),
    maximumCoverBytes: Config.schema(SizeText, "MAX_COVER_SIZE").pipe(Config.withDefault(uploads.maximumCoverBytes)),
    grace: Config.schema(PositiveDurationText, "UPLOAD_GRACE").pipe(Config.withDefault(uploads.grace))
  }),
  eventRetention: Config.schema(PositiveDurationText, "EVENT_RETENTION").pipe(
    Config.withDefault(EventRetention.defaultValue())
  ),
  webhooks: Config.all(webhooks),
  storageEventsToken: Config.schema(Schema.RedactedFromValue(BearerToken), "STORAGE_EVENTS_TOKEN").pipe(Config.option),
  redisUrl: Config.option(redis.url),
  // A `rateLimitPerMinute` of 0 switches the rate limits off.
  access: Config.all({
    rateLimitPerMinute: Config.schema(wholeNumber(0, 1_000_000), "RATE_LIMIT_PER_MINUTE").pipe(Config.withDefault(600)),
    corsOrigins: Config.schema(Origins, "CORS_ORIGINS").pipe(Config.withDefault([])),
    trustedProxies: Config.schema(Proxies, "TRUSTED_PROXIES").pipe(Config.withDefault([])),
    metricsToken: Config.schema(Schema.RedactedFromValue(BearerToken), "METRICS_TOKEN").pipe(Config.option)
  }),
  // Pages and mails are in `language` when the request names no known one. Without tiles the map shows its built-in outlines.
  console: Config.all({
    isOn: Config.schema(Flag, "CONSOLE").pipe(Config.withDefault(true)),
    language: Config.schema(Schema.Literals(mailLanguages), "DEFAULT_LANGUAGE").pipe(
      Config.withDefault(fallbackLanguage)
    ),
    mapTileUrl: Config.schema(TileUrl, "MAP_TILE_URL").pipe(Config.option),
    mapAttribution: Config.schema(PlainLine, "MAP_ATTRIBUTION").pipe(Config.option)
  }),
  mail: mailSettings,
  digest: Config.all({
    hour: Config.schema(wholeNumber(0, 23), "DIGEST_HOUR").pipe(Config.withDefault(6)),
    timeZone: Config.schema(TimeZone, "DIGEST_TIMEZONE").pipe(Config.withDefault("UTC"))
  }),
  login: loginSettings,
  otlpEndpoint: Config.schema(OtlpEndpoint, "OTEL_EXPORTER_OTLP_ENDPOINT").pipe(Config.option)
})

export type Settings = Config.Success<typeof settings>
export type S3Settings = Settings["s3"]
export type ConsoleSettings = Settings["console"]

/** "PORT must be a whole number from 0 to 65535." The value is left out: it can be a password. */
const messageFor = ({ cause }: Config.ConfigError): string => {
  if (cause._tag === "SourceError") return "The environment cannot be read."
  const [{ detail, pointer }] = faultsOf(cause.issue)
  return `${pointer.slice(1)} ${detail}.`
}

/** Reads settings from the environment. The failure names the variable and the reason. */
export const fromEnvironment = <A>(config: Config.Config<A>): Effect.Effect<A, Failure> =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (provider) => config.parse(provider)).pipe(
    Effect.mapError((error) => new Failure({ message: messageFor(error) }))
  )
