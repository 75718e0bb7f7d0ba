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
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { makeClient } from "../src/client/index.ts"
import { SolarSitesApi } from "../src/contract/index.ts"
import { toWebHandler } from "../src/index.ts"
import { bulkScopes } from "./BulkCalls.ts"
import { file, type Ids, makeScene, newSite } from "./ScopeScene.ts"

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

/** The scopes that the specification names, and a call that succeeds. */
type Case<Method> = readonly [
  scopes: ApiScope | ReadonlyArray<ApiScope>,
  call: (method: Method, ids: Ids) => Promise<unknown>
]

/** Does not compile without calls of every operation. */
const table: {
  readonly [Group in keyof SolarSitesOperations]: {
    readonly [Name in keyof SolarSitesOperations[Group]]: ReadonlyArray<Case<SolarSitesOperations[Group][Name]>>
  }
} = {
  sites: {
    create: [
      ["sites:write", (create) => create(newSite)],
      ["sites:write", (create) => create({ ...newSite, portfolioId: null })],
      [["sites:write", "portfolios:write"], (create, { portfolio }) => create({ ...newSite, portfolioId: portfolio })]
    ],
    bulk: bulkScopes,
    get: [["sites:read", (get, { site }) => get(site)]],
    list: [["sites:read", (list) => list()]],
    update: [
      ["sites:write", (update, { site }) => update(site, { address: "The lane" })],
      [["sites:write", "portfolios:write"], (update, { site }) => update(site, { portfolioId: null })]
    ],
    delete: [["sites:write", (remove, { site }) => remove(site)]]
  },
  portfolios: {
    create: [["portfolios:write", (create) => create({ name: "North" })]],
    createMany: [["portfolios:write", (createMany) => createMany([{ name: "North" }])]],
    get: [["portfolios:read", (get, { portfolio }) => get(portfolio)]],
    list: [["portfolios:read", (list) => list()]],
    listWithSites: [[["portfolios:read", "sites:read"], (list) => list()]],
    update: [["portfolios:write", (update, { portfolio }) => update(portfolio, { name: "West" })]],
    delete: [["portfolios:write", (remove, { portfolio }) => remove(portfolio)]],
    addSites: [["portfolios:write", (addSites, { portfolio, site }) => addSites(portfolio, [site])]],
    removeSites: [["portfolios:write", (removeSites, { portfolio, site }) => removeSites(portfolio, [site])]]
  },
  documents: {
    issueUploads: [
      ["documents:write", (issue, { site }) => issue({ siteId: site, fileType: "documents", files: [file] })]
    ],
    reissueUpload: [["documents:write", (reissue, { pending }) => reissue(pending)]],
    get: [["documents:read", (get, { uploaded }) => get(uploaded)]],
    list: [["documents:read", (list) => list()]],
    listRevisions: [["documents:read", (list, { uploaded }) => list(uploaded)]],
    changeStatus: [
      ["documents:write", (change, { uploaded }) => change(uploaded, { note: null })],
      [
        ["documents:write", "documents:approve"],
        (change, { uploaded }) => change(uploaded, { status: "approved", note: "Good" })
      ],
      ["documents:write", (change, { uploaded }) => change(uploaded, {})],
      ["documents:write", (change, { uploaded }) => change(uploaded, { status: "uploaded" })],
      ["documents:approve", (change, { uploaded }) => change(uploaded, { status: "approved" })],
      ["documents:approve", (change, { uploaded }) => change(uploaded, { status: "failed", reason: "blurred" })]
    ],
    downloadUrl: [["documents:read", (url, { uploaded }) => url(uploaded)]],
    delete: [["documents:write", (remove, { uploaded }) => remove(uploaded)]]
  },
  requirements: {
    get: [["requirements:read", (get) => get()]],
    replace: [["requirements:write", (replace) => replace({ requirements: [{ documentType: "ppa" }] })]]
  },
  coverage: {
    list: [["documents:read", (list) => list()]],
    summary: [["documents:read", (summary) => summary()]]
  },
  events: {
    list: [["events:read", (list) => list({ limit: 5 })]]
  },
  webhooks: {
    create: [["webhooks:write", (create) => create({ url: "https://other.example/", events: ["site.created"] })]],
    get: [["webhooks:read", (get, { webhook }) => get(webhook)]],
    list: [["webhooks:read", (list) => list()]],
    update: [["webhooks:write", (update, { webhook }) => update(webhook, { enabled: false })]],
    delete: [["webhooks:write", (remove, { webhook }) => remove(webhook)]],
    rotateSecret: [["webhooks:write", (rotate, { webhook }) => rotate(webhook)]],
    test: [["webhooks:write", (test, { webhook }) => test(webhook)]],
    listDeliveries: [["webhooks:read", (list, { webhook }) => list(webhook)]],
    retry: [["webhooks:write", (retry, { delivery, webhook }) => retry(webhook, delivery)]]
  }
}

const cases = Object.entries(table).flatMap(([group, methods]) =>
  Object.entries<ReadonlyArray<Case<never>>>(methods).flatMap(([name, calls]) =>
    calls.map(([scopes, call], index) => ({
      group,
      name,
      scopes: [scopes].flat(),
      title: `${group}.${name} ${index + 1}`,
      // The table has calls of this very method.
      call: (operations: SolarSitesOperations, ids: Ids) =>
        call(Reflect.get(Reflect.get(operations, group), name) as never, ids)
    }))
  )
)

describe.each(["library", "client"] as const)("scopes in the %s", (implementation) => {
  it.each(cases)("$title needs exactly $scopes", async ({ call, scopes }) => {
    const scene = await makeScene()
    await using harness = scene.harness
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
    const endpoints = Object.values(SolarSitesApi.groups).flatMap((group) =>
      Object.values(group.endpoints)
        .filter(({ middlewares }) => middlewares.size > 0)
        .map(({ identifier }) => `${group.identifier}.${identifier}`)
    )
    const rows = Object.entries(operations).flatMap(([group, methods]) =>
      Object.keys(methods).map((name) => `${group}.${name}`)
    )
    expect(endpoints.filter((endpoint) => !rows.includes(endpoint))).toEqual(["system.me"])
  })
})
