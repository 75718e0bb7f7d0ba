import { readFileSync } from "node:fs"
import { ConfigProvider, Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { fromEnvironment, settings } from "../../src/configuration/Settings.ts"
import { documentedVariables } from "../OperationsPage.ts"

const read = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8")

/** Pairs of lines such as `NAME=value`, without comments and sections. */
const assignments = (text: string): ReadonlyArray<readonly [string, string]> =>
  [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value])

const unit = assignments(read("deploy/solar-sites@.service"))
const valuesOf = (name: string) => unit.flatMap(([key, value]) => (key === name ? [value] : []))
const proxy = read("deploy/haproxy.cfg")

const chosen = (variables: Readonly<Record<string, string>>) =>
  fromEnvironment(settings).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)),
    Effect.runSync
  )

describe("the systemd unit of an instance", () => {
  it("runs node as the image does, and gives it time to drain", () => {
    const [node, ...rest] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(read("Dockerfile"))?.[1] ?? "")
    expect(valuesOf("ExecStart")).toEqual([
      `/usr/bin/${[node, ...rest].join(" ").replace("/app/", "/opt/solar-sites/")} serve`
    ])
    expect(Number(valuesOf("TimeoutStopSec")[0])).toBeGreaterThan(10)
    // The first process gets SIGTERM, its children SIGKILL after it.
    expect(valuesOf("KillMode")).toEqual(["mixed"])
  })

  it("has, with the settings file, valid settings and no others", () => {
    const own = (valuesOf("Environment")[0] ?? "").replaceAll("%i", "1").replaceAll("%S", "/var/lib").split(" ")
    const variables = Object.fromEntries([...assignments(own.join("\n")), ...assignments(read("deploy/server.env"))])
    for (const name of Object.keys(variables)) expect([...documentedVariables.keys(), "NODE_ENV"]).toContain(name)
    const { access, port, redisUrl, s3 } = chosen(variables)
    expect({ port, proxies: access.trustedProxies }).toEqual({ port: 3001, proxies: ["127.0.0.1", "::1"] })
    expect([Option.isSome(redisUrl), Option.isSome(s3.bucket)]).toEqual([true, true])
  })

  it("names its server in the proxy by the instance, on the port of the instance", () => {
    for (const instance of ["1", "2"])
      expect(proxy).toContain(`  server ${instance} "\${SERVER_${instance}-127.0.0.1:300${instance}}"\n`)
    for (const [command, state] of [
      ["ExecStop", "drain"],
      ["ExecStartPost", "ready"]
    ] as const)
      expect(valuesOf(command).at(-1)).toContain(`set server servers/%i state ${state}`)
  })
})

describe("the compose file of several instances", () => {
  const resets = { tag: "!reset", collection: "seq" as const, resolve: () => [] }
  const { networks, services } = parse(read("deploy/compose.yaml"), { customTags: [resets] })

  it("has two servers behind the proxy, which trust its network and publish no port", () => {
    expect(services.server).toMatchObject({ deploy: { replicas: 2 }, ports: [] })
    const [{ subnet }] = networks.default.ipam.config
    expect(chosen(services.server.environment).access.trustedProxies).toEqual([subnet])
    expect(services.proxy.ports).toEqual(["127.0.0.1:3000:3000"])
    const { name } = parse(read("compose.yaml"))
    const addresses = [1, 2].map((number) => services.proxy.environment[`SERVER_${number}`])
    expect(addresses).toEqual([1, 2].map((number) => `${name}-server-${number}:3000`))
  })
})

describe("the configuration of the proxy", () => {
  it("logs neither queries nor keys", () => {
    const format = /log-format "(.*)"/.exec(proxy)?.[1] ?? ""
    expect(format.split(" ")).toContain("%HPO")
    for (const field of ["%r", "%HU", "%HQ", "%hr"]) expect(format.split(" ")).not.toContain(field)
    expect(proxy).not.toContain("capture")
  })

  it("repeats only requests that are safe to repeat", () => {
    expect(proxy).toContain("  http-request disable-l7-retry unless reads || has_key\n")
    expect(/retry-on (.*)/.exec(proxy)?.[1]).toBe("conn-failure empty-response")
  })
})
