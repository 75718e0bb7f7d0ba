import { ConfigProvider, Duration, Effect, Option, Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { fromEnvironment, logSettings, settings } from "../../src/configuration/Settings.ts"

type Variables = Readonly<Record<string, string>>

const readAll = (variables: Variables) =>
  Effect.all({ settings: fromEnvironment(settings), logs: fromEnvironment(logSettings) }).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)),
    Effect.result,
    Effect.runSync
  )

const read = (variables: Variables) => Result.getOrThrow(readAll(variables))

const faultOf = (variables: Variables) => Result.getOrThrow(Result.flip(readAll(variables))).sentence

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
          pooler: "session",
          queryTimeout: Duration.seconds(5)
        },
        s3: {
          bucket: Option.none(),
          endpoint: Option.none(),
          region: Option.none(),
          forcePathStyle: Option.none(),
          singleUse: true
        },
        uploads: { maximumFileBytes: 104_857_600, maximumCoverBytes: 20_971_520, grace: Duration.minutes(15) }
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
      LOG_LEVEL: "debug",
      LOG_FORMAT: "pretty"
    })
    expect(settings).toMatchObject({ host: "::1", port: 0, dataDirectory: "/var/lib/solar" })
    expect(Option.getOrNull(settings.publicUrl)).toBe("https://solar.example.com/base")
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
    expect(logs).toEqual({ level: "debug", format: Option.some("pretty") })
  })

  it("takes an empty variable as not set", () => {
    const names = [
      "HOST",
      "PORT",
      "PUBLIC_URL",
      "DATA_DIR",
      "DATABASE_URL",
      "QUERY_TIMEOUT",
      "S3_BUCKET",
      "MAX_FILE_SIZE",
      "LOG_LEVEL"
    ]
    expect(read(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(read({}))
  })

  it("is not confused by variables whose names begin alike", () => {
    expect(read({ PORT_NAME: "x", DATABASE_URL_OLD: "y", DATABASE: "z" })).toEqual(read({}))
    expect(read({ PORT_NAME: "x", PORT: "1" }).settings.port).toBe(1)
  })

  it.each([
    ["PORT", "eighty", "must be a whole number from 0 to 65535"],
    ["PORT", "65536", "must be a whole number from 0 to 65535"],
    ["PORT", "-1", "must be a whole number from 0 to 65535"],
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
    ["LOG_LEVEL", "INFO", 'must be "trace" or "debug" or "info" or "warn" or "error" or "none"'],
    ["LOG_FORMAT", "xml", 'must be "json" or "pretty"']
  ])("says what is wrong with %s=%s", (name, value, fault) => {
    const sentence = faultOf({ [name]: value })
    expect(sentence).toMatch(new RegExp(`^${name} ${fault}`))
    expect(sentence).toMatch(/^[^\n]+\.$/)
    expect(sentence).not.toContain("secret")
  })
})
