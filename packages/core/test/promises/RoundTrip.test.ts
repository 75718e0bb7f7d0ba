import { Caller, CurrentCaller, Documents, Organisations, Portfolios, SiteId, Sites } from "@solar-sites/core"
import { StorageClient } from "@solar-sites/testing"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { collect, makeSetup, newSite } from "./setup.ts"

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** True for JSON values: objects, arrays, strings, numbers, booleans and null. */
const isPlain = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null)
    return ["string", "number", "boolean", "object"].includes(typeof value)
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false
  return Object.values(value).every(isPlain)
}

describe("the promises", () => {
  it("create, read, change and delete sites", async () => {
    await using setup = await makeSetup()
    const { organisation, sites } = setup.user
    const site = await sites.create({ ...newSite, siteManager: { name: "Ada" } })
    expect(site).toMatchObject({ ...newSite, organisationId: organisation.id, capacityKw: 1_200, version: 1 })
    expect(site.createdAt).toMatch(rfc3339)
    expect(isPlain(site)).toBe(true)
    expect(await sites.get(site.id.toUpperCase())).toEqual(site)
    const changed = await sites.update(site.id, { ...site, address: "The lane" }, { expectedVersion: 1 })
    expect(changed).toMatchObject({ address: "The lane", version: 2 })
    expect(await sites.list()).toEqual({ data: [changed], nextCursor: null })
    expect(await sites.list({ siteId: site.id, limit: 1 })).toEqual({ data: [changed], nextCursor: null })
    expect(await sites.delete(site.id, { expectedVersion: 2 })).toBe(undefined)
    expect((await sites.list()).data).toEqual([])
  })

  it("change portfolios and their sites", async () => {
    await using setup = await makeSetup()
    const { portfolios, sites } = setup.user
    const [first, second] = [await sites.create(newSite), await sites.create(newSite)]
    const south = await portfolios.create({ name: "South" })
    const [north, east] = await portfolios.createMany([{ name: "North" }, { name: "East" }])
    expect([north?.name, east?.name]).toEqual(["North", "East"])
    const added = await portfolios.addSites(south.id, [second.id, first.id.toUpperCase()])
    expect(added.map(({ id, portfolioId }) => [id, portfolioId])).toEqual([
      [second.id, south.id],
      [first.id, south.id]
    ])
    const read = await portfolios.get(south.id)
    expect(read).toMatchObject({ siteCount: 2, capacityKw: 2_400, version: 1 })
    const renamed = await portfolios.update(south.id, { name: "South West" }, { expectedVersion: 1 })
    expect(renamed).toMatchObject({ name: "South West", version: 2 })
    const stale = portfolios.removeSites(south.id, [second.id], { expectedVersion: 1 })
    await expect(stale).rejects.toMatchObject({ code: "precondition_failed" })
    await portfolios.removeSites(south.id, [second.id], { expectedVersion: 2 })
    expect((await portfolios.list({ limit: 2 })).data.map(({ name }) => name)).toEqual(["South West", "North"])
    const { data } = await portfolios.listWithSites()
    expect(data.map((portfolio) => portfolio.sites.map(({ id }) => id))).toEqual([[first.id], [], []])
    expect(isPlain(data)).toBe(true)
    await portfolios.delete(south.id, { expectedVersion: 2 })
    expect((await sites.get(first.id)).portfolioId).toBe(null)
  })

  it("stream portfolios with their sites, once per iteration", async () => {
    await using setup = await makeSetup()
    const { portfolios, sites } = setup.user
    const south = await portfolios.create({ name: "South" })
    const site = await sites.create({ ...newSite, portfolioId: south.id })
    const stream = portfolios.streamWithSites({ limit: 5 })
    const parts = [
      { _tag: "Portfolio", portfolio: await portfolios.get(south.id) },
      { _tag: "Sites", sites: [site] },
      { _tag: "End", nextCursor: null }
    ]
    expect(await collect(stream)).toEqual(parts)
    expect(await collect(stream)).toEqual(parts)
    expect(isPlain(await collect(stream))).toBe(true)
    for await (const part of stream) {
      expect(part._tag).toBe("Portfolio")
      break
    }
  })

  it("issue upload and download addresses of a document", async () => {
    await using setup = await makeSetup()
    const { documents, sites } = setup.user
    const { id: siteId } = await sites.create(newSite)
    const file = { filename: "lease.pdf", mimeType: "application/pdf" }
    const { results, summary } = await documents.issueUploads({
      siteId,
      fileType: "report",
      files: [file, { ...file, filename: ".." }, file]
    })
    expect(summary).toEqual({ total: 3, successful: 2, failed: 1 })
    const [issued, refused, other] = results
    if (issued?.success !== true || other?.success !== true) throw new Error("two files may come")
    expect(refused).toMatchObject({ index: 1, success: false, error: { code: "invalid_filename" } })
    expect(issued.uploadUrl.expiresAt).toMatch(rfc3339)
    expect(isPlain(results)).toBe(true)

    const again = await documents.reissueUpload(issued.documentId)
    const { headers, url } = again.uploadUrl
    const sending = StorageClient.use((client) => client.put({ url, headers, body: Uint8Array.of(1, 2, 3) }))
    await Effect.runPromise(Effect.provide(sending, setup.memory))
    const { path } = await documents.get(issued.documentId)
    expect(await setup.solar.objectArrived(path)).toBe(undefined)
    const uploaded = await documents.get(issued.documentId)
    expect(uploaded).toMatchObject({ status: "uploaded", sizeBytes: 3, type: "report", uploadedBy: "user-1" })
    const download = await documents.downloadUrl(issued.documentId)
    expect(download).toEqual({ url: expect.stringContaining(path), expiresAt: expect.stringMatching(rfc3339) })
    const { version } = uploaded
    const approved = await documents.changeStatus(uploaded.id, { status: "approved" }, { expectedVersion: version })
    expect(approved).toMatchObject({ status: "approved", version: version + 1 })
    expect((await documents.list({ status: "pending" })).data.map(({ id }) => id)).toEqual([other.documentId])
    await documents.delete(approved.id, { expectedVersion: approved.version })
    expect((await documents.list({ siteId })).data.length).toBe(1)
  })

  it("create, authenticate, rotate and delete API keys", async () => {
    await using setup = await makeSetup()
    const { apiKeys, organisation } = setup.user
    const { apiKey, secret } = await apiKeys.create({ name: "Reporting", expiresIn: "90 days" })
    expect(isPlain(apiKey)).toBe(true)
    expect(secret.startsWith(apiKey.prefix)).toBe(true)
    expect(Date.parse(apiKey.expiresAt) - Date.parse(apiKey.createdAt)).toBe(90 * 86_400_000)
    expect(await apiKeys.get(apiKey.id)).toEqual(apiKey)
    expect(await apiKeys.inUse()).toBe(null)
    expect(await apiKeys.accessInUse()).toBe(null)

    const caller = await setup.solar.authenticate(secret)
    const { id: apiKeyId, prefix: keyPrefix } = apiKey
    expect(caller).toEqual({ organisationId: organisation.id, userId: "user-1", apiKeyId, keyPrefix })
    expect(isPlain(caller)).toBe(true)
    const machine = setup.solar.as(caller)
    expect(await machine.apiKeys.inUse()).toMatchObject({ id: apiKey.id })
    expect(await machine.apiKeys.accessInUse()).toMatchObject({
      apiKey: { id: apiKey.id },
      organisation: { id: apiKey.organisationId, status: "active" }
    })
    expect((await machine.sites.create(newSite)).organisationId).toBe(organisation.id)
    await expect(machine.apiKeys.list()).rejects.toMatchObject({ code: "keys_not_manageable" })

    const next = await apiKeys.rotate(apiKey.id, { overlap: "0 seconds" })
    await expect(setup.solar.authenticate(secret)).rejects.toMatchObject({ code: "api_key_expired" })
    expect((await setup.solar.authenticate(next.secret)).apiKeyId).toBe(next.apiKey.id)
    expect((await apiKeys.list()).data.map(({ id }) => id)).toEqual([apiKey.id, next.apiKey.id])
    expect(await apiKeys.delete(next.apiKey.id)).toMatchObject({ id: next.apiKey.id })
    await expect(setup.solar.authenticate(next.secret)).rejects.toMatchObject({ code: "api_key_invalid" })
  })

  it("read and change organisations", async () => {
    await using setup = await makeSetup()
    const { organisations } = setup.solar
    const { id } = setup.user.organisation
    expect(await organisations.get(id.toUpperCase())).toEqual({ id, name: "Sunfield Energy", status: "active" })
    const { secret } = await setup.user.apiKeys.create({ name: "Reporting" })
    expect(await organisations.update(id, { status: "inactive" })).toMatchObject({ status: "inactive" })
    await expect(setup.solar.authenticate(secret)).rejects.toMatchObject({ code: "organisation_inactive" })
    expect(await organisations.list({ limit: 1 })).toEqual({ data: [await organisations.get(id)], nextCursor: null })
  })

  it("return the JSON form of the results of the services", async () => {
    await using setup = await makeSetup()
    const { documents, organisation, portfolios, sites } = setup.user
    const south = await portfolios.create({ name: "South" })
    const { id } = await sites.create({
      ...newSite,
      portfolioId: south.id,
      latitude: 51.5,
      siteManager: { name: "Ada" }
    })
    await documents.issueUploads({ siteId: id, fileType: "documents", files: [{ filename: "a", mimeType: "" }] })
    const caller = Schema.decodeSync(Caller)({ organisationId: organisation.id, userId: null, apiKeyId: null })
    const answers = Effect.gen(function* () {
      return [
        yield* (yield* Sites).get(SiteId.make(id)),
        yield* (yield* Portfolios).listWithSites(),
        yield* (yield* Documents).list(),
        yield* (yield* Organisations).list()
      ]
    })
    const services = await Effect.runPromise(
      answers.pipe(Effect.provideService(CurrentCaller, caller), Effect.provide(setup.services))
    )
    const promises = [
      await sites.get(id),
      await portfolios.listWithSites(),
      await documents.list(),
      await setup.solar.organisations.list()
    ]
    expect(promises.map((answer) => JSON.stringify(answer))).toEqual(services.map((answer) => JSON.stringify(answer)))
    expect(promises.every(isPlain)).toBe(true)
  })
})
