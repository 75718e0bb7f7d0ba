/**
 * Each operation of a caller that is limited to a portfolio: what is outside answers as what is absent.
 */
import type { operations, SolarSitesForCaller } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { collect, newSite, unknownId } from "../promises/setup.ts"
import { contentsOf, makeReach, type Place } from "./reachSetup.ts"

type Call = (caller: SolarSitesForCaller, place: Place, inside: Place) => Promise<unknown>

type Calls = {
  readonly [Group in keyof typeof operations]: {
    readonly [Name in keyof (typeof operations)[Group]]: Call | ReadonlyArray<Call>
  }
}

const file = { filename: "Plan.pdf", mimeType: "application/pdf" } as const

/** Calls that name the ids of a place. A new operation has to be added here. */
const calls: Calls = {
  sites: {
    create: ({ sites }, { portfolioId }) => sites.create({ ...newSite, portfolioId }),
    bulk: [
      ({ sites }, { portfolioId }) => sites.bulk({ sites: [{ ...newSite, portfolioId }] }),
      ({ sites }, { portfolioId }) => sites.bulk({ sites: [{ ...newSite, portfolioId }], dryRun: true }),
      ({ sites }, { portfolioId }) =>
        sites.bulk({ sites: [{ ...newSite, portfolioId, externalId: "new" }], mode: "upsert" })
    ],
    get: ({ sites }, { siteId }) => sites.get(siteId),
    list: [
      ({ sites }) => sites.list(),
      ({ sites }, { siteId }) => sites.list({ siteId }),
      ({ sites }, { portfolioId }) => sites.list({ portfolioId }),
      ({ sites }) => sites.list({ q: "meadow", sort: "siteName", order: "desc" })
    ],
    update: [
      ({ sites }, { siteId }) => sites.update(siteId, { siteName: "Other" }),
      ({ sites }, { siteId }) => sites.update(siteId, {}, { expectedVersion: 77 }),
      ({ sites }, { siteId }) => sites.update(siteId, { portfolioId: null }),
      ({ sites }, { siteId }, { portfolioId }) => sites.update(siteId, { portfolioId }),
      ({ sites }, { portfolioId }, { siteId }) => sites.update(siteId, { portfolioId })
    ],
    delete: ({ sites }, { siteId }) => sites.delete(siteId)
  },
  portfolios: {
    create: ({ portfolios }) => portfolios.create({ name: "Mine" }),
    createMany: ({ portfolios }) => portfolios.createMany([{ name: "Mine" }]),
    get: ({ portfolios }, { portfolioId }) => portfolios.get(portfolioId),
    list: [({ portfolios }) => portfolios.list(), ({ portfolios }) => portfolios.list({ q: "side", sort: "name" })],
    listWithSites: ({ portfolios }) => portfolios.listWithSites(),
    streamWithSites: ({ portfolios }) => collect(portfolios.streamWithSites()),
    update: ({ portfolios }, { portfolioId }) => portfolios.update(portfolioId, { name: "Mine" }),
    delete: ({ portfolios }, { portfolioId }) => portfolios.delete(portfolioId),
    addSites: [
      ({ portfolios }, { portfolioId }, { siteId }) => portfolios.addSites(portfolioId, [siteId]),
      ({ portfolios }, { siteId }, { portfolioId }) => portfolios.addSites(portfolioId, [siteId])
    ],
    removeSites: [
      ({ portfolios }, { portfolioId }, { siteId }) => portfolios.removeSites(portfolioId, [siteId]),
      ({ portfolios }, { siteId }, { portfolioId }) => portfolios.removeSites(portfolioId, [siteId])
    ]
  },
  documents: {
    issueUploads: [
      ({ documents }, { siteId }) => documents.issueUploads({ siteId, fileType: "documents", files: [file] }),
      ({ documents }, { documentId: replaces }, { siteId }) =>
        documents.issueUploads({ siteId, fileType: "documents", files: [{ ...file, replaces }] }),
      ({ documents }, { siteId, documentId: replaces }) =>
        documents.issueUploads({ siteId, fileType: "documents", files: [{ ...file, replaces }] })
    ],
    reissueUpload: ({ documents }, { documentId }) => documents.reissueUpload(documentId),
    get: ({ documents }, { documentId }) => documents.get(documentId),
    list: [
      ({ documents }) => documents.list(),
      ({ documents }, { siteId }) => documents.list({ siteId }),
      ({ documents }, { portfolioId }) => documents.list({ portfolioId }),
      ({ documents }) => documents.list({ q: "contract", sort: "filename", current: true })
    ],
    listRevisions: ({ documents }, { documentId }) => documents.listRevisions(documentId),
    changeStatus: [
      ({ documents }, { documentId }) => documents.changeStatus(documentId, { status: "approved" }),
      ({ documents }, { documentId }) => documents.changeStatus(documentId, { status: "uploaded" }),
      ({ documents }, { documentId }) => documents.changeStatus(documentId, { status: "failed", reason: "no" }),
      ({ documents }, { documentId }) => documents.changeStatus(documentId, { note: "Seen" }, { expectedVersion: 77 })
    ],
    downloadUrl: ({ documents }, { documentId }) => documents.downloadUrl(documentId),
    delete: ({ documents }, { documentId }) => documents.delete(documentId)
  },
  requirements: {
    get: ({ requirements }) => requirements.get(),
    replace: ({ requirements }, { portfolioId }) =>
      requirements.replace({ requirements: [{ documentType: "epc", portfolioId }] })
  },
  coverage: {
    list: [
      ({ coverage }) => coverage.list(),
      ({ coverage }, { siteId }) => coverage.list({ siteId }),
      ({ coverage }, { portfolioId }) => coverage.list({ portfolioId }),
      ({ coverage }, { siteId, portfolioId }) => coverage.list({ siteId, portfolioId })
    ],
    summary: [
      ({ coverage }) => coverage.summary(),
      ({ coverage }, { portfolioId }) => coverage.summary({ portfolioId })
    ]
  },
  events: {
    list: [
      ({ events }) => events.list(),
      ({ events }, { siteId }) => events.list({ siteId }),
      ({ events }, { portfolioId: subjectId }) => events.list({ subjectId }),
      ({ events }, { documentId: subjectId }) => events.list({ subjectId, order: "desc" }),
      ({ events }) => events.list({ type: ["requirements.*", "webhook.*", "organisation.*"] })
    ]
  },
  webhooks: {
    create: ({ webhooks }) => webhooks.create({ url: "https://example.com/", events: ["*"] }),
    get: ({ webhooks }, { siteId }) => webhooks.get(siteId),
    list: ({ webhooks }) => webhooks.list(),
    update: ({ webhooks }, { siteId }) => webhooks.update(siteId, { enabled: false }),
    delete: ({ webhooks }, { siteId }) => webhooks.delete(siteId),
    rotateSecret: ({ webhooks }, { siteId }) => webhooks.rotateSecret(siteId),
    test: ({ webhooks }, { siteId }) => webhooks.test(siteId),
    listDeliveries: ({ webhooks }, { siteId }) => webhooks.listDeliveries(siteId),
    retry: ({ webhooks }, { siteId }) => webhooks.retry(siteId, siteId)
  }
}

const rows = Object.entries(calls).flatMap(([group, methods]) =>
  Object.entries<Call | ReadonlyArray<Call>>(methods).flatMap(([name, given]) =>
    [given].flat().map((call, index) => ({ name: `${group}.${name} (${index + 1})`, call }))
  )
)

/** Refusals of all calls by limited callers. */
const refusedAlways =
  /^(webhooks\.|requirements\.replace|portfolios\.(create|createMany|update|delete|removeSites) |sites\.update \(3\))/

/** The answer as text, without the ids of the place. */
const answerTo = async (answer: Promise<unknown>, place: Place): Promise<string> => {
  const settled = await answer.then(
    (value) => ({ value: value ?? null }),
    (error: Error) => ({ error: { ...error }, message: error.message })
  )
  const named = Object.values(place).reduce((text, id) => text.replaceAll(id, "given"), JSON.stringify(settled))
  // Each attempt makes an id and an instant of its own.
  return named.replaceAll(/"(id|sequence|requestId|occurredAt|createdAt|updatedAt)":("[^"]*"|\d+)/g, '"$1"')
}

describe("a caller that is limited to a portfolio", () => {
  it.each(rows)("finds nothing outside of it, as if it were absent: $name", async ({ call, name }) => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    const { absent, foreign, inside, outside, unplaced } = places
    const [insurance, contract] = ["insurance", "ppa"] as const
    await owner.requirements.replace({
      requirements: [{ documentType: insurance }, { documentType: contract, portfolioId: outside.portfolioId }]
    })
    const before = await contentsOf(reach)
    const ofAbsent = await answerTo(call(limited, absent, inside), absent)
    for (const place of [outside, unplaced, foreign]) {
      expect(await answerTo(call(limited, place, inside), place)).toBe(ofAbsent)
    }
    const hidden = [outside, unplaced, foreign].flatMap((one) => Object.values(one)).filter((id) => id !== unknownId)
    for (const id of hidden) expect(ofAbsent).not.toContain(id)
    if (/error/.test(ofAbsent)) expect(await contentsOf(reach)).toEqual(before)

    const ofInside = await answerTo(call(limited, inside, inside), inside)
    for (const id of hidden) expect(ofInside).not.toContain(id)
    if (refusedAlways.test(`${name} `)) {
      expect(ofInside).toBe(ofAbsent)
      expect(ofAbsent).toMatch(/caller_limited|portfolio_required/)
    } else expect(ofInside).not.toMatch(/not_found|caller_limited|portfolio_required/)
  })

  it("reaches nothing at all when the list is empty", async () => {
    await using reach = await makeReach()
    const { inside } = reach.places
    const { coverage, documents, events, portfolios, sites } = reach.limitedTo()
    expect((await sites.list()).data).toEqual([])
    expect((await portfolios.list()).data).toEqual([])
    expect((await portfolios.listWithSites()).data).toEqual([])
    expect((await documents.list()).data).toEqual([])
    expect((await events.list()).data).toEqual([])
    expect((await coverage.list()).data).toEqual([])
    expect(await coverage.summary()).toMatchObject({ siteCount: 0, completeCount: 0 })
    await expect(sites.get(inside.siteId)).rejects.toMatchObject({ code: "site_not_found" })
    await expect(sites.create({ ...newSite, portfolioId: inside.portfolioId })).rejects.toMatchObject({
      code: "portfolio_not_found"
    })
  })
})
