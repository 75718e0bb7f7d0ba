import { type PortMethod, SolarSitesHarness } from "@solar-sites/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Answer, aNewSite, bytes, type Call, calling, issue } from "./HarnessCalls.ts"

let harness: SolarSitesHarness.Harness
let call: Call
beforeEach(async () => {
  harness = await SolarSitesHarness.make()
  call = calling(harness.fetch, (await harness.createOrganisation("Sunfield Energy")).apiKey)
})
afterEach(() => harness.dispose())

const outcome = ({ json, status }: Answer) => [status, json?.code ?? "no problem"]

const portfolios = (send: Call) => send("POST /api/portfolios", { portfolios: [{ name: "South West" }] })
const theDocument = async (send: Call, rest = "") => {
  const { documentId, uploadUrl } = await issue(send)
  await harness.upload(uploadUrl, bytes(3))
  return () => send(`GET /api/docs/${documentId}${rest}`)
}
const omDocuments = async (send: Call) => {
  const { json: site } = await send("POST /api/sites", aNewSite)
  const files = [{ filename: "Ticket.pdf", mimeType: "application/pdf" }]
  const body = { siteId: site.id, fileType: "om-documents", omRecordId: crypto.randomUUID(), files }
  return () => send("POST /api/docs/bulk-upload-url", body)
}
const once = (send: Call) => () => send("POST /api/sites", aNewSite, { "idempotency-key": crypto.randomUUID() })

/** A method of a port, and a request that needs it. */
const table: ReadonlyArray<readonly [PortMethod, number, (send: Call) => Promise<() => Promise<Answer>>]> = [
  ["ApiKeyStore.findAcrossOrganisations", 200, async (send) => () => send("GET /api/sites")],
  ["SiteRepository.insert", 201, async (send) => () => send("POST /api/sites", aNewSite)],
  ["SiteRepository.list", 200, async (send) => () => send("GET /api/sites")],
  ["PortfolioRepository.insertMany", 201, async (send) => () => portfolios(send)],
  ["DocumentRepository.findById", 200, (send) => theDocument(send)],
  ["DocumentStorage.signDownload", 200, (send) => theDocument(send, "/download-url")],
  ["OmRecordDirectory.exists", 200, omDocuments],
  ["IdempotencyStore.claim", 201, async (send) => once(send)]
]

describe("failNext", () => {
  it.each(table)("%s fails once, as if the connection were lost", async (method, status, prepare) => {
    const request = await prepare(call)
    harness.failNext(method)
    const code = method.startsWith("DocumentStorage") ? "storage_unavailable" : "database_unavailable"
    expect(outcome(await request())).toEqual([503, code])
    expect(outcome(await request())).toEqual([status, "no problem"])
  })

  it("OrganisationRepository.insert fails once", async () => {
    harness.failNext("OrganisationRepository.insert")
    const failure = { _tag: "RepositoryError", operation: "OrganisationRepository.insert", retryable: true }
    await expect(harness.createOrganisation("Moonfield Energy")).rejects.toMatchObject(failure)
    await harness.createOrganisation("Moonfield Energy")
  })

  it("DocumentMaintenance.claimPending fails once, and the sweeper comes again", async () => {
    const { documentId, uploadUrl } = await issue(call)
    harness.failNext("DocumentRepository.findById")
    await harness.upload(uploadUrl, bytes(3))
    const status = async () => (await call(`GET /api/docs/${documentId}`)).json.status
    await harness.advance("55 seconds")
    harness.failNext("DocumentMaintenance.claimPending")
    await harness.advance("5 seconds")
    expect(await status()).toBe("pending")
    await harness.advance("10 seconds")
    expect(await status()).toBe("uploaded")
  })

  it("leaves the memory as it was", async () => {
    harness.failNext("SiteRepository.insert")
    await call("POST /api/sites", aNewSite)
    expect((await call("GET /api/sites")).json.data).toEqual([])
  })

  it("counts: requested twice, two calls fail", async () => {
    harness.failNext("SiteRepository.insert")
    harness.failNext("SiteRepository.insert")
    const statuses = [1, 2, 3].map(async () => (await call("POST /api/sites", aNewSite)).status)
    expect((await Promise.all(statuses)).sort()).toEqual([201, 503, 503])
  })

  it("is of one harness alone", async () => {
    await using other = await SolarSitesHarness.make()
    other.failNext("SiteRepository.insert")
    expect((await call("POST /api/sites", aNewSite)).status).toBe(201)
  })

  it("knows a typo when it is compiled, and when it is not", () => {
    // @ts-expect-error: there is no such method.
    expect(() => harness.failNext("SiteRepository.inset")).toThrow(
      /unknown port method SiteRepository\.inset.*SiteRepository\.insert/s
    )
    // @ts-expect-error: it promises never to fail.
    expect(() => harness.failNext("RateLimiter.take")).toThrow(TypeError)
  })
})

describe("failWhile", () => {
  it("fails all calls of a method until the work has ended, and gives what that gives", async () => {
    const create = async () => (await call("POST /api/sites", aNewSite)).status
    const statuses = await harness.failWhile("SiteRepository.insert", async () => [await create(), await create()])
    expect(statuses).toEqual([503, 503])
    expect(await create()).toBe(201)
  })

  it("ends with work that fails, and keeps other requested failures", async () => {
    harness.failNext("SiteRepository.insert")
    const work = harness.failWhile("SiteRepository.insert", () => {
      throw new Error("the work failed")
    })
    await expect(work).rejects.toThrow("the work failed")
    expect((await call("POST /api/sites", aNewSite)).status).toBe(503)
    expect((await call("POST /api/sites", aNewSite)).status).toBe(201)
  })

  it("knows a typo", async () => {
    // @ts-expect-error: there is no such method.
    await expect(harness.failWhile("Sites.insert", () => {})).rejects.toThrow(TypeError)
  })
})
