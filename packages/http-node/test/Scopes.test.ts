import {
  ApiKeyStore,
  type ApiScope,
  apiScopes,
  DocumentMaintenance,
  operations,
  SolarSites,
  type SolarSitesOperations,
  type SolarSitesServices
} from "@solar-sites/core"
import { SolarSitesHarness } from "@solar-sites/testing"
import { Context, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeClient } from "../src/client/index.ts"
import { toWebHandler } from "../src/index.ts"
import { bulkScopes } from "./BulkCalls.ts"
import { endpoints } from "./Documented.ts"
import { call, exampleArguments, exampleIds, type Ids, makeScene, newSite, type Row, rows } from "./OperationScene.ts"

type Ports = Context.Context<SolarSitesServices.SolarSitesPorts>

/** Ports that record their calls, except the check of keys and background work. */
const recording = (ports: Ports, calls: Array<string>): Layer.Layer<SolarSitesServices.SolarSitesPorts> => {
  const recorded = [...ports.mapUnsafe].map(([key, port]): readonly [string, unknown] => {
    const isRecorded = /(Repository|Records|Storage|IdempotencyStore)$/.test(key)
    if (!isRecorded || key === ApiKeyStore.key || key === DocumentMaintenance.key) return [key, port]
    const methods = Object.entries(Object(port)).map(([name, method]) => [
      name,
      typeof method !== "function"
        ? method
        : (...input: ReadonlyArray<unknown>) => {
            calls.push(`${key}.${name}`)
            return method(...input)
          }
    ])
    return [key, Object.fromEntries(methods)]
  })
  return Layer.succeedContext(Context.makeUnsafe(new Map(recorded)))
}

const implementations = {
  library: (layer: Layer.Layer<SolarSitesServices.SolarSitesPorts>) => {
    const solar = SolarSites.make(layer)
    const as = async (key: string): Promise<SolarSitesOperations> => solar.as(await solar.authenticate(key))
    return { as, close: solar.close }
  },
  client: (layer: Layer.Layer<SolarSitesServices.SolarSitesPorts>) => {
    const { dispose, handler } = toWebHandler(layer, { rateLimitPerMinute: 0 })
    const fetch = (input: string | URL | Request, init?: RequestInit) => handler(new Request(input, init))
    const as = async (apiKey: string): Promise<SolarSitesOperations> =>
      makeClient({ baseUrl: "http://solar.test", apiKey, fetch })
    return { as, close: dispose }
  }
}

interface Case {
  readonly title: string
  readonly scopes: ReadonlyArray<ApiScope>
  readonly call: (operations: SolarSitesOperations, ids: Ids) => Promise<unknown>
}

/** The example of each operation; `core` tests which scopes its row names. */
const ofRow = (row: Row): Case => {
  const { names = [], scopes, scopesOf } = row.row
  const input = exampleArguments(row, exampleIds)[names.length]
  return {
    title: row.name,
    scopes: [...new Set([...scopes, ...(scopesOf?.(input as never) ?? [])])],
    call: (operations, ids) => call(operations, row, exampleArguments(row, ids))
  }
}

type Dependent = readonly [name: string, scopes: ReadonlyArray<ApiScope>, call: Case["call"]]

/** Calls that need other scopes than the example does. */
const dependent: ReadonlyArray<Dependent> = [
  ["sites.create without a portfolio", ["sites:write"], ({ sites }) => sites.create(newSite)],
  ["sites.create in no portfolio", ["sites:write"], ({ sites }) => sites.create({ ...newSite, portfolioId: null })],
  [
    "sites.create in a portfolio",
    ["sites:write", "portfolios:write"],
    ({ sites }, { portfolio }) => sites.create({ ...newSite, portfolioId: portfolio })
  ],
  ...bulkScopes.map(
    ([scopes, each], index): Dependent => [
      `sites.bulk ${index + 1}`,
      [scopes].flat(),
      ({ sites }, ids) => each(sites.bulk, ids)
    ]
  ),
  ["sites.update", ["sites:write"], ({ sites }, { site }) => sites.update(site, { address: "The lane" })],
  [
    "sites.update out of its portfolio",
    ["sites:write", "portfolios:write"],
    ({ sites }, { site }) => sites.update(site, { portfolioId: null })
  ],
  ...(
    [
      [["documents:write"], { note: null }],
      [["documents:write"], {}],
      [["documents:write"], { status: "uploaded" }],
      [["documents:approve"], { status: "approved" }],
      [["documents:approve"], { status: "failed", reason: "blurred" }],
      [["documents:write", "documents:approve"], { status: "approved", note: "Good" }]
    ] as const
  ).map(
    ([scopes, change]): Dependent => [
      `documents.changeStatus ${JSON.stringify(change)}`,
      scopes,
      ({ documents }, { uploaded }) => documents.changeStatus(uploaded, change)
    ]
  )
]

const cases = [...rows.map(ofRow), ...dependent.map(([title, scopes, call]): Case => ({ title, scopes, call }))]

describe.each(["library", "client"] as const)("scopes in the %s", (implementation) => {
  let harness: SolarSitesHarness.Harness
  beforeAll(async () => {
    harness = await SolarSitesHarness.make()
  })
  afterAll(() => harness.dispose())

  it.each(cases)("$title needs exactly $scopes", async ({ call, scopes }) => {
    const scene = await makeScene(harness)
    const calls: Array<string> = []
    const ports = Effect.runSync(
      Effect.scoped(Effect.provide(Effect.context<SolarSitesServices.SolarSitesPorts>(), harness.layer))
    )
    const { as, close } = implementations[implementation](recording(ports, calls))
    for (const missing of scopes) {
      const operations = await as(await scene.keyWith(apiScopes.filter((scope) => scope !== missing)))
      const before = [...calls]
      const refusal = await call(operations, scene.ids).then(
        () => "success",
        (error) => error
      )
      expect(refusal).toMatchObject({ code: "scope_missing" })
      expect(refusal.detail ?? refusal.message).toContain(missing)
      for (const held of apiScopes) {
        if (held !== missing) expect(refusal.detail ?? refusal.message).not.toContain(held)
      }
      expect(calls).toEqual(before)
    }
    await call(await as(await scene.keyWith(scopes)), scene.ids)
    expect(calls).not.toEqual([])
    await close()
  })
})

describe("the table of operations", () => {
  it("has a row for every endpoint behind a key", () => {
    const rows = Object.entries(operations).flatMap(([group, methods]) =>
      Object.keys(methods).map((name) => `${group}.${name}`)
    )
    expect(endpoints.map(({ name }) => name).filter((name) => !rows.includes(name))).toEqual(["system.me"])
  })
})
