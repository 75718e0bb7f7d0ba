import type { SolarSitesForCaller, SolarSitesOperations } from "@solar-sites/core"
import { SolarSitesHarness } from "@solar-sites/testing"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { makeClient, type SolarSitesClient } from "../src/client/index.ts"
import { bulkCalls } from "./BulkCalls.ts"
import { coverageCalls, requirementCalls } from "./CoverageCalls.ts"
import { documentCalls } from "./DocumentCalls.ts"
import {
  type Calls,
  type CallsOf,
  call,
  exampleArguments,
  type Ids,
  invalid,
  newSite,
  prepare,
  type Row,
  rows,
  unknown,
  wrongInput
} from "./OperationScene.ts"
import { webhookCalls } from "./WebhookCalls.ts"

/** The operations of one caller with an API key. */
const implementations = {
  library: async (harness: SolarSitesHarness.Harness, apiKey: string): Promise<SolarSitesOperations> =>
    harness.solarSites.as(await harness.solarSites.authenticate(apiKey)),
  client: async (harness: SolarSitesHarness.Harness, apiKey: string): Promise<SolarSitesOperations> =>
    makeClient({ baseUrl: "http://solar.test", apiKey, fetch: harness.fetch })
}

/** Calls beyond those of every operation. */
const table: { readonly [Group in keyof SolarSitesOperations]: CallsOf<Group> } = {
  sites: {
    create: [
      (create, { portfolio }) => create({ ...newSite, portfolioId: portfolio, address: "The lane", latitude: 51.5 }),
      (create) => create({ ...newSite, siteName: "", capacity: -1 }),
      (create) => create({ ...newSite, portfolioId: unknown })
    ],
    bulk: bulkCalls,
    get: [(get, { site }) => get(site.toUpperCase())],
    list: [
      (list, { portfolio }) => list({ portfolioId: portfolio }),
      (list) => list({ limit: 1 }),
      (list) => list({ limit: 1_001, cursor: "x" }),
      (list) => list({ q: "MEADOW short", tag: [], sort: "siteName", order: "desc", limit: 1 }),
      (list) => list({ tag: ["roof", "leased"], updatedAfter: "2026-01-01T00:00:00Z", unit: "MWp" }),
      (list) => list({ q: "", externalId: "", sort: "name" as never })
    ],
    update: [
      (update, { site }) => update(site, { address: "The lane", siteManager: null }, { expectedVersion: 1 }),
      (update, { site }) => update(site, {}),
      (update) => update(unknown, { capacity: 0 })
    ],
    delete: [(remove, { single }) => remove(single, { expectedVersion: 2 })]
  },
  portfolios: {
    create: [(create) => create({ name: " North " }), (create, { site }) => create({ name: "North", ...{ id: site } })],
    createMany: [(createMany) => createMany([{ name: "North" }, { name: "East" }]), (createMany) => createMany([])],
    list: [(list) => list({ limit: 1 }), (list) => list({ cursor: "x", q: "s", sort: "name" })],
    listWithSites: [(list) => list({ limit: 101 })],
    update: [
      (update, { portfolio }) => update(portfolio, { name: "South West" }, { expectedVersion: 1 }),
      (update) => update(invalid, { name: "" })
    ],
    delete: [(remove) => remove(unknown, { expectedVersion: 1 })],
    addSites: [
      (addSites, { portfolio, single, site }) => addSites(portfolio, [single, site, single]),
      (addSites, { portfolio, single }) => addSites(portfolio, [single, unknown]),
      (addSites, { portfolio }) => addSites(portfolio, [])
    ],
    removeSites: [
      (removeSites, { portfolio, site }) => removeSites(portfolio, [site], { expectedVersion: 1 }),
      (removeSites, { portfolio, single, site }) => removeSites(portfolio, [site, single])
    ]
  },
  documents: documentCalls,
  requirements: requirementCalls,
  coverage: coverageCalls,
  events: {
    list: [
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
    name === "requestId" ||
    (["token", "nextCursor", "secret", "keyPrefix"].includes(name) && typeof member === "string")
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

/** One memory for each: a new one for each case takes half of the time. */
const harnesses = new Map<keyof typeof implementations, SolarSitesHarness.Harness>()
beforeAll(async () => {
  for (const name of ["library", "client"] as const) harnesses.set(name, await SolarSitesHarness.make())
})
afterAll(async () => {
  for (const harness of harnesses.values()) await harness.dispose()
})

/**
 * The result of a call, and everything that its organisation has stored afterwards. The library makes and reads
 * both scenes, several times faster than the client.
 */
const observe = async (
  implementation: keyof typeof implementations,
  call: (operations: SolarSitesOperations, ids: Ids) => Promise<unknown>
) => {
  const harness = harnesses.get(implementation)
  if (harness === undefined) throw new Error("the memories are made before the tests")
  const { apiKey } = await harness.createOrganisation("Sunfield Energy")
  const library = await implementations.library(harness, apiKey)
  const ids = await prepare(library, harness)
  const outcome = await outcomeOf(call(await implementations[implementation](harness, apiKey), ids))
  const { documents, portfolios, requirements, sites, webhooks } = library
  const stored = [sites.list(), portfolios.listWithSites(), documents.list(), requirements.get(), webhooks.list()]
  return comparable([ids, outcome, ...(await Promise.all<unknown>(stored))])
}

interface Case {
  readonly title: string
  readonly run: (operations: SolarSitesOperations, ids: Ids) => Promise<unknown>
}

const numbered = (name: string, runs: ReadonlyArray<Case["run"]>): ReadonlyArray<Case> =>
  runs.map((run, index) => ({ title: `${name} ${index + 1}`, run }))

/** The calls of the table. */
const casesOf = (group: keyof SolarSitesOperations): ReadonlyArray<Case> =>
  Object.entries<Calls<never>>(table[group] ?? {}).flatMap(([method, calls]) =>
    numbered(
      `${group}.${method}`,
      // The table has calls of this very method.
      calls.map((each) => (operations, ids) => each(Reflect.get(operations[group], method) as never, ids))
    )
  )

/** The example of an operation; with other ids; with wrong input; in a version that is not stored. */
const casesOfRow = (row: Row): ReadonlyArray<Case> => {
  const { names = [], version } = row.row
  const wrong = wrongInput(row)
  const variants: ReadonlyArray<(args: ReadonlyArray<unknown>) => ReadonlyArray<unknown>> = [
    (args) => args,
    ...names.flatMap((_, at) => [unknown, invalid].map((id) => (args: ReadonlyArray<unknown>) => args.with(at, id))),
    ...(wrong === undefined ? [] : [(args: ReadonlyArray<unknown>) => [...args.slice(0, names.length), wrong]]),
    ...(version === undefined ? [] : [(args: ReadonlyArray<unknown>) => [...args, { expectedVersion: 7 }]])
  ]
  return numbered(
    `the example of ${row.name}`,
    variants.map((variant) => (operations, ids) => call(operations, row, variant(exampleArguments(row, ids))))
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

  it.each([
    ...rows.flatMap(casesOfRow),
    ...(Object.keys(table) as ReadonlyArray<keyof SolarSitesOperations>).flatMap(casesOf)
  ])("give the same result: $title", async ({ run }) => {
    const [library, client] = await Promise.all([observe("library", run), observe("client", run)])
    expect(client).toEqual(library)
  })
})
