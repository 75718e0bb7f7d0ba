import type { SolarSitesForCaller, SolarSitesOperations } from "@solar-sites/core"
import { SolarSitesHarness } from "@solar-sites/testing"
import { describe, expect, expectTypeOf, it } from "vitest"
import { makeClient, type SolarSitesClient } from "../src/client/index.ts"
import { bulkCalls } from "./BulkCalls.ts"
import { coverageCalls } from "./CoverageCalls.ts"
import { documentCalls } from "./DocumentCalls.ts"
import { newWebhook, webhookCalls } from "./WebhookCalls.ts"

type Harness = Awaited<ReturnType<typeof SolarSitesHarness.make>>

/** The operations of one caller with an API key. */
const implementations = {
  library: async (harness: Harness, apiKey: string): Promise<SolarSitesOperations> =>
    harness.solarSites.as(await harness.solarSites.authenticate(apiKey)),
  client: async (harness: Harness, apiKey: string): Promise<SolarSitesOperations> =>
    makeClient({ baseUrl: "http://solar.test", apiKey, fetch: harness.fetch })
}

const newSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MWp" } as const
const unknown = "01890000-0000-7000-8000-000000000000"
const invalid = "../portfolios"

/** A site in a portfolio with two documents, a site without, and a webhook with a delivery. */
const prepare = async ({ documents, portfolios, sites, webhooks }: SolarSitesOperations, { upload }: Harness) => {
  const portfolio = await portfolios.create({ name: "South" })
  const site = await sites.create({ ...newSite, portfolioId: portfolio.id, siteManager: { name: "Ada" } })
  const single = await sites.create({ ...newSite, siteName: "Short Meadow" })
  const file = { filename: "plan.txt", mimeType: "text/plain" }
  const { results } = await documents.issueUploads({ siteId: site.id, fileType: "documents", files: [file, file] })
  const [pending, uploaded] = results
  if (pending?.success !== true || uploaded?.success !== true) throw new Error("no address was issued")
  await upload(uploaded.uploadUrl, new TextEncoder().encode("as built"))
  const webhook = await webhooks.create(newWebhook)
  const delivery = await webhooks.test(webhook.id)
  return {
    webhook: webhook.id,
    delivery: delivery.id,
    site: site.id,
    single: single.id,
    portfolio: portfolio.id,
    pending: pending.documentId,
    uploaded: uploaded.documentId
  }
}

type Ids = Awaited<ReturnType<typeof prepare>>

/** Calls of one method. */
type Calls<Method> = ReadonlyArray<(method: Method, ids: Ids) => Promise<unknown>>

/** Does not compile without calls of every operation. */
const table: {
  readonly [Group in keyof SolarSitesOperations]: {
    readonly [Name in keyof SolarSitesOperations[Group]]: Calls<SolarSitesOperations[Group][Name]>
  }
} = {
  sites: {
    create: [
      (create, { portfolio }) => create({ ...newSite, portfolioId: portfolio, address: "The lane", latitude: 51.5 }),
      (create) => create({ ...newSite, siteName: "", capacity: -1 }),
      (create) => create({ ...newSite, portfolioId: unknown })
    ],
    bulk: bulkCalls,
    get: [(get, { site }) => get(site.toUpperCase()), (get) => get(unknown), (get) => get(invalid)],
    list: [
      (list) => list(),
      (list, { portfolio }) => list({ portfolioId: portfolio }),
      (list) => list({ limit: 1 }),
      (list) => list({ limit: 1_001, cursor: "x" }),
      (list) => list({ q: "MEADOW short", tag: [], sort: "siteName", order: "desc", limit: 1 }),
      (list) => list({ tag: ["roof", "leased"], updatedAfter: "2026-01-01T00:00:00Z", unit: "MWp" }),
      (list) => list({ q: "", externalId: "", sort: "name" as never })
    ],
    update: [
      (update, { site }) => update(site, { address: "The lane", siteManager: null }, { expectedVersion: 1 }),
      (update, { site }) => update(site, { address: "The lane" }, { expectedVersion: 2 }),
      (update, { site }) => update(site, {}),
      (update) => update(unknown, { capacity: 0 }),
      (update) => update(invalid, {})
    ],
    delete: [
      (remove, { site }) => remove(site),
      (remove, { single }) => remove(single, { expectedVersion: 2 }),
      (remove) => remove(invalid)
    ]
  },
  portfolios: {
    create: [(create) => create({ name: " North " }), (create, { site }) => create({ name: "North", ...{ id: site } })],
    createMany: [(createMany) => createMany([{ name: "North" }, { name: "East" }]), (createMany) => createMany([])],
    get: [(get, { portfolio }) => get(portfolio), (get) => get(unknown), (get) => get(invalid)],
    list: [(list) => list(), (list) => list({ limit: 1 }), (list) => list({ cursor: "x", q: "s", sort: "name" })],
    listWithSites: [(list) => list(), (list) => list({ limit: 101 })],
    update: [
      (update, { portfolio }) => update(portfolio, { name: "South West" }, { expectedVersion: 1 }),
      (update, { portfolio }) => update(portfolio, { name: "South West" }, { expectedVersion: 2 }),
      (update) => update(invalid, { name: "" })
    ],
    delete: [(remove, { portfolio }) => remove(portfolio), (remove) => remove(unknown, { expectedVersion: 1 })],
    addSites: [
      (addSites, { portfolio, single, site }) => addSites(portfolio, [single, site, single]),
      (addSites, { portfolio, single }) => addSites(portfolio, [single, unknown]),
      (addSites, { single }) => addSites(invalid, [single]),
      (addSites, { portfolio }) => addSites(portfolio, [])
    ],
    removeSites: [
      (removeSites, { portfolio, site }) => removeSites(portfolio, [site], { expectedVersion: 1 }),
      (removeSites, { portfolio, site }) => removeSites(portfolio, [site], { expectedVersion: 2 }),
      (removeSites, { portfolio, single, site }) => removeSites(portfolio, [site, single])
    ]
  },
  documents: documentCalls,
  ...coverageCalls,
  events: {
    list: [
      (list) => list(),
      (list) => list({ limit: 1 }),
      (list) => list({ limit: 2, order: "desc" }),
      (list, { site }) =>
        list({ siteId: site, type: ["site.updated", "document.*"], from: "2026-01-01T00:00:00+01:00" }),
      (list) => list({ type: ["site.opened" as never, "document"] as never, to: "yesterday" }),
      (list) => list({ type: [], actorId: "person-1" }),
      (list) => list({ actorId: "", limit: 0 })
    ]
  },
  webhooks: webhookCalls
}

/** Ids by the order of their appearance; without what is random. */
const comparable = (value: unknown): unknown => {
  const ids: Array<string> = []
  const random = (name: string, member: unknown) =>
    name === "requestId" || (["token", "nextCursor", "secret"].includes(name) && typeof member === "string")
      ? name
      : member
  const numbered = (id: string) => {
    if (!ids.includes(id)) ids.push(id)
    return `id ${ids.indexOf(id)}`
  }
  const text = JSON.stringify(value ?? "nothing", random).replace(
    /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g,
    numbered
  )
  return JSON.parse(text.replace(/\?[^"]+/g, "?token"))
}

interface Fault {
  readonly pointer: string
}

// A list is an argument of the library and a member of the body over HTTP.
const inArgument = (fault: Fault): Fault => ({
  ...fault,
  pointer: fault.pointer.replace(/^\/(portfolios|siteIds)/, "")
})

const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => ({ value }),
    ({ code, errors, faults = errors }) => ({
      code,
      faults: code === "validation_failed" ? faults.map(inArgument) : []
    })
  )

/** The result of a call, and everything that is stored afterwards. */
const observe = async (
  implementation: keyof typeof implementations,
  call: (operations: SolarSitesOperations, ids: Ids) => Promise<unknown>
) => {
  await using harness = await SolarSitesHarness.make()
  const { apiKey } = await harness.createOrganisation("Sunfield Energy")
  const operations = await implementations[implementation](harness, apiKey)
  const ids = await prepare(operations, harness)
  const outcome = await outcomeOf(call(operations, ids))
  const { documents, portfolios, requirements, sites, webhooks } = operations
  const stored = [sites.list(), portfolios.listWithSites(), documents.list(), requirements.get(), webhooks.list()]
  return comparable([ids, outcome, ...(await Promise.all<unknown>(stored))])
}

type Case = readonly [name: string, call: (operations: SolarSitesOperations, ids: Ids) => Promise<unknown>]

const casesOf = (group: keyof SolarSitesOperations): ReadonlyArray<Case> => {
  const methods: Readonly<Record<string, Calls<never>>> = table[group]
  return Object.entries(methods).flatMap(([name, calls]) =>
    calls.map(
      (call, index): Case => [
        `${group}.${name} ${index + 1}`,
        // The table has calls of this very method.
        (operations, ids) => call(Reflect.get(operations[group], name) as never, ids)
      ]
    )
  )
}

describe("library and client", () => {
  it("implement the same operations", () => {
    expectTypeOf<SolarSitesForCaller>().toExtend<SolarSitesOperations>()
    expectTypeOf<SolarSitesClient>().toExtend<SolarSitesOperations>()
    expectTypeOf<Parameters<SolarSitesClient["sites"]["update"]>[1]>().toEqualTypeOf<
      Parameters<SolarSitesForCaller["sites"]["update"]>[1]
    >()
  })

  it.each((Object.keys(table) as ReadonlyArray<keyof SolarSitesOperations>).flatMap(casesOf))(
    "give the same result: %s",
    async (_, call) => {
      const [library, client] = await Promise.all([observe("library", call), observe("client", call)])
      expect(client).toEqual(library)
    }
  )
})
