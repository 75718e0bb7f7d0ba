import { routes } from "@solar-sites/http-node"
import { ConfigProvider, Duration, Effect, Option, Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { fromEnvironment, logSettings, settings } from "../../src/configuration/Settings.ts"
import { documentedVariables } from "../OperationsPage.ts"

type Variables = Readonly<Record<string, string>>

const readAll = (variables: Variables) =>
  Effect.all({ settings: fromEnvironment(settings), logs: fromEnvironment(logSettings) }).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)),
    Effect.result,
    Effect.runSync
  )

const read = (variables: Variables) => Result.getOrThrow(readAll(variables))

const faultOf = (variables: Variables) => Result.getOrThrow(Result.flip(readAll(variables))).message

describe("Settings", () => {
  it("has a default for each", () => {
    expect(read({})).toEqual({
      settings: {
        host: "127.0.0.1",
        port: 3000,
        publicUrl: Option.none(),
        dataDirectory: "./data",
        database: {
          url: Option.none(),
          schema: "solar",
          poolSize: 10,
          ...{ pooler: "session", rowLevelSecurity: false },
          queryTimeout: Duration.seconds(5)
        },
        s3: {
          bucket: Option.none(),
          endpoint: Option.none(),
          region: Option.none(),
          forcePathStyle: Option.none(),
          singleUse: true
        },
        uploads: { maximumFileBytes: 104_857_600, maximumCoverBytes: 20_971_520, grace: Duration.minutes(15) },
        eventRetention: Duration.days(400),
        webhooks: { allowPrivate: false },
        storageEventsToken: Option.none(),
        redisUrl: Option.none(),
        access: { rateLimitPerMinute: 600, corsOrigins: [], trustedProxies: [], metricsToken: Option.none() },
        console: { isOn: true, language: "en", mapTileUrl: Option.none(), mapAttribution: Option.none() },
        mail: Option.none(),
        digest: { hour: 6, timeZone: "UTC" },
        login: { passwords: true, openId: Option.none() },
        otlpEndpoint: Option.none()
      },
      logs: { level: "info", format: Option.none() }
    })
  })

  it("reads each from its variable", () => {
    const { logs, settings } = read({
      HOST: "::1",
      PORT: "0",
      PUBLIC_URL: "https://Solar.example.com/base/",
      DATA_DIR: "/var/lib/solar",
      DATABASE_URL: "postgres://user:secret@db.example.com/solar",
      DATABASE_SCHEMA: "Other schema",
      DATABASE_POOL_SIZE: "25",
      DATABASE_POOLER: "transaction",
      QUERY_TIMEOUT: "2m",
      S3_BUCKET: "solar-documents",
      S3_ENDPOINT: "https://s3.example.com",
      S3_REGION: "eu-central-1",
      S3_FORCE_PATH_STYLE: "false",
      S3_SINGLE_USE: "false",
      MAX_FILE_SIZE: "5GB",
      MAX_COVER_SIZE: "1048576",
      UPLOAD_GRACE: "1h",
      EVENT_RETENTION: "30d",
      WEBHOOK_ALLOW_PRIVATE: "true",
      REDIS_URL: "rediss://:secret@redis.example.com:6380/2",
      RATE_LIMIT_PER_MINUTE: "0",
      CORS_ORIGINS: "https://app.example.com, http://localhost:5173",
      TRUSTED_PROXIES: "10.0.0.0/8,192.0.2.7 ,fd00::/8",
      METRICS_TOKEN: "to+ken/secret==",
      STORAGE_EVENTS_TOKEN: "secret+token/of=storage",
      SMTP_URL: "smtp://solar:p%40ss-secret@mail.example.com:2525",
      MAIL_FROM: "Solar, Inc. <solar@example.com>",
      DIGEST_HOUR: "23",
      DIGEST_TIMEZONE: "America/Argentina/Buenos_Aires",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
      CONSOLE: "false",
      DEFAULT_LANGUAGE: "de",
      MAP_TILE_URL: "https://tiles.example.com:8443/{z}/{x}/{y}.png?style=light",
      MAP_ATTRIBUTION: "© Somebody",
      LOG_LEVEL: "debug",
      LOG_FORMAT: "pretty"
    })
    expect(settings).toMatchObject({ host: "::1", port: 0, dataDirectory: "/var/lib/solar" })
    expect(Option.getOrNull(settings.publicUrl)).toBe("https://solar.example.com/base")
    expect(settings.console).toEqual({
      isOn: false,
      language: "de",
      mapTileUrl: Option.some("https://tiles.example.com:8443/{z}/{x}/{y}.png?style=light"),
      mapAttribution: Option.some("© Somebody")
    })
    expect(settings.database).toMatchObject({ schema: "Other schema", poolSize: 25, pooler: "transaction" })
    expect(Duration.toMillis(settings.database.queryTimeout)).toBe(120_000)
    expect(Redacted.value(Option.getOrThrow(settings.database.url))).toBe("postgres://user:secret@db.example.com/solar")
    expect(settings.s3).toEqual({
      bucket: Option.some("solar-documents"),
      endpoint: Option.some("https://s3.example.com"),
      region: Option.some("eu-central-1"),
      forcePathStyle: Option.some(false),
      singleUse: false
    })
    expect(settings.uploads).toEqual({
      maximumFileBytes: 5_000_000_000,
      maximumCoverBytes: 1_048_576,
      grace: Duration.hours(1)
    })
    expect(Duration.toDays(settings.eventRetention)).toBe(30)
    expect(settings.webhooks).toEqual({ allowPrivate: true })
    expect(Redacted.value(Option.getOrThrow(settings.redisUrl))).toBe("rediss://:secret@redis.example.com:6380/2")
    expect(settings.access).toMatchObject({
      rateLimitPerMinute: 0,
      corsOrigins: ["https://app.example.com", "http://localhost:5173"],
      trustedProxies: ["10.0.0.0/8", "192.0.2.7", "fd00::/8"]
    })
    expect(Redacted.value(Option.getOrThrow(settings.access.metricsToken))).toBe("to+ken/secret==")
    expect(Redacted.value(Option.getOrThrow(settings.storageEventsToken))).toBe("secret+token/of=storage")
    const { from, url } = Option.getOrThrow(settings.mail)
    expect(from).toEqual({ name: "Solar, Inc.", address: "solar@example.com" })
    expect(Redacted.value(url)).toBe("smtp://solar:p%40ss-secret@mail.example.com:2525")
    expect(settings.digest).toEqual({ hour: 23, timeZone: "America/Argentina/Buenos_Aires" })
    expect(settings.otlpEndpoint).toEqual(Option.some("http://collector:4318"))
    expect(JSON.stringify(settings)).not.toContain("secret")
    expect(logs).toEqual({ level: "debug", format: Option.some("pretty") })
  })

  it("takes an empty variable as not set", () => {
    const names = [...documentedVariables.keys()]
    expect(read(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(read({}))
  })

  it("is not confused by variables whose names begin alike", () => {
    expect(read({ PORT_NAME: "x", DATABASE_URL_OLD: "y", DATABASE: "z" })).toEqual(read({}))
    expect(read({ PORT_NAME: "x", PORT: "1" }).settings.port).toBe(1)
  })

  it.each([
    ["PORT", "65536", "must be a whole number from 0 to 65535"],
    ["PORT", "1e3", "must be a whole number from 0 to 65535"],
    ["HOST", "http://localhost", "must be a host name or an IP address"],
    ["PUBLIC_URL", "solar.example.com", "must be an http or https address"],
    ["PUBLIC_URL", "ftp://solar.example.com", "must be an http or https address"],
    ["PUBLIC_URL", "https://me:secret@solar.example.com", "must be an http or https address"],
    ["DATABASE_URL", "mysql://root:secret@db/solar", "must be the address of a Postgres database"],
    ["DATABASE_URL", "postgres://[secret", "must be the address of a Postgres database"],
    ["DATABASE_SCHEMA", "pg_solar", "must be a name of at most 63 bytes"],
    ["DATABASE_SCHEMA", "ä".repeat(32), "must be a name of at most 63 bytes"],
    ["DATABASE_POOL_SIZE", "0", "must be a whole number from 1 to 1000"],
    ["DATABASE_POOLER", "pgbouncer", 'must be "session" or "transaction"'],
    ["QUERY_TIMEOUT", "5", "must be a whole number with one of the units d, h, m, s"],
    ["QUERY_TIMEOUT", "0s", "must be longer than nothing"],
    ["S3_BUCKET", "a bucket", "must be the name of a bucket"],
    ["S3_ENDPOINT", "s3.example.com", "must be an http or https address"],
    ["S3_ENDPOINT", "https://me:secret@s3.example.com", "must be an http or https address"],
    ["S3_REGION", "eu central", "must be the name of a region"],
    ["S3_FORCE_PATH_STYLE", "yes", 'must be "true" or "false"'],
    ["S3_SINGLE_USE", "1", 'must be "true" or "false"'],
    ["MAX_FILE_SIZE", "100 MiB", "must be a whole number of bytes above 0, or of one of the units kB, MB, GB, KiB"],
    ["MAX_COVER_SIZE", "0", "must be a whole number of bytes above 0"],
    ["UPLOAD_GRACE", "15", "must be a whole number with one of the units d, h, m, s"],
    ["UPLOAD_GRACE", "0m", "must be longer than nothing"],
    ["EVENT_RETENTION", "a year", "must be a whole number with one of the units d, h, m, s"],
    ["WEBHOOK_ALLOW_PRIVATE", "yes", 'must be "true" or "false"'],
    ["REDIS_URL", "redis.example.com:6379", "must be the address of a Redis server"],
    ["REDIS_URL", "http://:secret@redis.example.com", "must be the address of a Redis server"],
    ["REDIS_URL", "redis://:secret@redis.example.com/first", "must be the address of a Redis server"],
    ["RATE_LIMIT_PER_MINUTE", "-1", "must be a whole number from 0 to 1000000"],
    ["CORS_ORIGINS", "*", "must be origins"],
    ["CORS_ORIGINS", "https://app.example.com,", "must be origins"],
    ["CORS_ORIGINS", "https://app.example.com/", "must be origins"],
    ["CORS_ORIGINS", "https://app.example.com,app.example.com", "must be origins"],
    ["TRUSTED_PROXIES", "proxy.example.com", "must be IP addresses or networks"],
    ["TRUSTED_PROXIES", "10.0.0.0/33", "must be IP addresses or networks"],
    ["TRUSTED_PROXIES", "10.0.0.1,*", "must be IP addresses or networks"],
    ["METRICS_TOKEN", "a secret", "must be a token"],
    ["STORAGE_EVENTS_TOKEN", "a secret", "must be a token"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "must be an http or https address"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://me:secret@collector", "must be an http or https address"],
    ["CONSOLE", "off", 'must be "true" or "false"'],
    ["DEFAULT_LANGUAGE", "fr", 'must be "en" or "de"'],
    ["MAP_TILE_URL", "tiles", "must be an http or https address with"],
    ["MAP_TILE_URL", "https://{s}.example.com/{z}/{x}/{y}.png", "must be an http or https address with"],
    ["MAP_TILE_URL", "https://me:secret@tiles.example.com/{z}/{x}/{y}.png", "must be an http or https address with"],
    ["MAP_TILE_URL", "https://tiles.example.com/{z}/{x}.png", "must be an http or https address with"],
    ["MAP_TILE_URL", "https://tiles.example.com/{z}/{x}/{y};script-src", "must be an http or https address with"],
    ["MAP_ATTRIBUTION", "two\nlines", "must be a line of text"],
    ["LOG_LEVEL", "INFO", 'must be "trace" or "debug" or "info" or "warn" or "error" or "none"'],
    ["LOG_FORMAT", "xml", 'must be "json" or "pretty"']
  ])("says what is wrong with %s=%s", (name, value, fault) => {
    const message = faultOf({ [name]: value })
    expect(message).toMatch(new RegExp(`^${name} ${fault}`))
    expect(message).toMatch(/^[^\n]+\.$/)
    expect(message).not.toContain("secret")
  })

  it("takes and refuses the same origins and proxies as the HTTP binding", () => {
    const accepts = (read: () => unknown) => {
      try {
        read()
        return true
      } catch {
        return false
      }
    }
    const origins = [
      "https://a.example.com",
      "https://A.example.com",
      "http://a:80",
      "app://x",
      "null",
      "https://é.de",
      "HTTP://a"
    ]
    for (const origin of origins) {
      expect([origin, accepts(() => read({ CORS_ORIGINS: origin }))]).toEqual([
        origin,
        accepts(() => routes({ corsOrigins: [origin] }))
      ])
    }
    const proxies = [
      "::1",
      "10.0.0.1/8",
      "10.0.0.0/08",
      "::ffff:10.0.0.1",
      "::ffff:10.0.0.0/104",
      "::ffff:0:0/90",
      "fe80::1%eth0",
      "[::1]",
      "1.2.3"
    ]
    for (const proxy of proxies) {
      expect([proxy, accepts(() => read({ TRUSTED_PROXIES: proxy }))]).toEqual([
        proxy,
        accepts(() => routes({ trustedProxies: [proxy] }))
      ])
    }
  })
})
