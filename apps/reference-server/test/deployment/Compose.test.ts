import { readFileSync } from "node:fs"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { fromEnvironment, logSettings, settings } from "../../src/configuration/Settings.ts"
import { documentedVariables } from "../OperationsPage.ts"

interface Service {
  readonly image?: string
  readonly build?: string
  readonly command?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly networks?: { readonly default: { readonly aliases: ReadonlyArray<string> } }
}

interface Compose {
  readonly services: Readonly<Record<"server" | "postgres" | "redis" | "s3", Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const read = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8")

const text = read("compose.yaml")
const { services, volumes }: Compose = parse(text)
const defaults = new Map(
  [...read(".env.example").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value])
)

/** Interpolates variables like Compose. */
const filled = (value: string): string =>
  value.replaceAll(/\$\{(\w+)(?:(:-)|:\?[^}]*)?\}/g, (_, name: string, optional?: string) => {
    const given = defaults.get(name) ?? ""
    if (given === "" && optional === undefined) throw new Error(`${name} is not in .env.example`)
    return given
  })

const environment = Object.fromEntries(
  Object.entries(services.server.environment ?? {}).map(([name, value]) => [name, filled(value)])
)

describe("compose.yaml", () => {
  it("has server, Postgres, Redis and a store, with volumes for their data", () => {
    expect(Object.keys(services)).toEqual(["server", "postgres", "redis", "s3"])
    expect(Object.keys(services.server.depends_on ?? {})).toEqual(["postgres", "redis", "s3"])
    expect(services.server.build).toBe(".")
    for (const { build, image } of Object.values(services)) expect(build ?? image).toMatch(/^\.$|^[a-z/]+:\d/)
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(":")[0]))
    expect(mounted.toSorted()).toEqual(Object.keys(volumes).toSorted())
  })

  it("has valid settings of the server only", () => {
    const known = [...documentedVariables.keys(), "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
    for (const name of Object.keys(environment)) expect(known).toContain(name)
    const chosen = Effect.all([fromEnvironment(settings), fromEnvironment(logSettings)]).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
      Effect.runSync
    )[0]
    const addresses = [chosen.database.url, chosen.redisUrl].map(
      (url) => new URL(Redacted.value(Option.getOrThrow(url)))
    )
    const names = [...Object.keys(services), ...(services.s3.networks?.default.aliases ?? [])]
    for (const { hostname } of [...addresses, new URL(Option.getOrThrow(chosen.s3.endpoint))])
      expect(names).toContain(hostname)
    expect(services.s3.command).toContain(`-bucket=${Option.getOrThrow(chosen.s3.bucket)}`)
  })

  it("passes PUBLIC_URL and TRUSTED_PROXIES for a reverse proxy", () => {
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(["PUBLIC_URL", "TRUSTED_PROXIES"]))
  })

  it("contains no secret; .env.example lists each", () => {
    const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
    expect([...asked].toSorted()).toEqual([...defaults.keys()].toSorted())
    for (const { environment = {} } of Object.values(services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|TOKEN|ACCESS_KEY/.test(name)) expect(value).toMatch(/^\$\{[^}]+\}$/)
        expect(value).not.toMatch(/:\/\/[^/$]*:[^/$]+@/)
      }
    }
  })

  it("publishes ports on loopback only", () => {
    for (const port of Object.values(services).flatMap(({ ports = [] }) => ports))
      expect(port).toMatch(/^127\.0\.0\.1:/)
  })
})
