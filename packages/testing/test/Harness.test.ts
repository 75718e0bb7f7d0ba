import { CurrentCaller, DocumentId, Documents, SolarSitesServices } from "@solar-sites/core"
import { SolarSitesHarness, UploadRefused } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { aNewSite, bytes, type Call, calling, issue } from "./HarnessCalls.ts"

let harness: SolarSitesHarness.Harness
let organisation: SolarSitesHarness.HarnessOrganisation
let call: Call
beforeEach(async () => {
  harness = await SolarSitesHarness.make()
  organisation = await harness.createOrganisation("Sunfield Energy")
  call = calling(harness.fetch, organisation.apiKey)
})
afterEach(() => harness.dispose())

describe("the organisations of a harness", () => {
  it("have a key that opens their own API", async () => {
    const { json } = await call("GET /api/me")
    expect(json.organisation).toEqual({ id: organisation.id, name: "Sunfield Energy", status: "active" })
  })

  it("have a caller with the user of the key", async () => {
    const { documentId } = await issue(call)
    const { json } = await call(`GET /api/docs/${documentId}`)
    expect(json.uploadedBy).toBe(organisation.caller.userId)
    expect(organisation.caller).toMatchObject({ organisationId: organisation.id, apiKeyId: null })
  })

  it("have a key and a caller with the given scopes", async () => {
    const scopes = ["sites:read"] as const
    const reader = await harness.createOrganisation("Reader", { scopes })
    const callReader = calling(harness.fetch, reader.apiKey)
    expect((await callReader("GET /api/me")).json).toMatchObject({ scopes, apiKey: { scopes } })
    expect((await callReader("GET /api/portfolios")).json.code).toBe("scope_missing")
    const { portfolios, sites } = harness.solarSites.as(reader.caller)
    expect((await sites.list()).data).toEqual([])
    await expect(portfolios.list()).rejects.toMatchObject({ code: "scope_missing", missing: ["portfolios:read"] })
  })

  it("see nothing of each other", async () => {
    const other = await harness.createOrganisation("Moonfield Energy")
    const { json: site } = await call("POST /api/sites", aNewSite)
    const callOther = calling(harness.fetch, other.apiKey)
    expect((await callOther("GET /api/sites")).json.data).toEqual([])
    expect((await callOther(`GET /api/sites/${site.id}`)).status).toBe(404)
    expect((await call("GET /api/sites")).json.data).toEqual([site])
  })

  it("need a name", async () => {
    await expect(harness.createOrganisation("")).rejects.toMatchObject({ _tag: "ValidationFailed" })
  })
})

describe("the events of a harness", () => {
  it("are those of one organisation, with the user or the key that made the change", async () => {
    const other = await harness.createOrganisation("Moonfield Energy")
    const { json: site } = await call("POST /api/sites", aNewSite)
    await harness.solarSites.as(organisation.caller).sites.delete(site.id)
    const [key, created, deleted, ...more] = await harness.events(organisation)
    expect(more).toEqual([])
    expect(key).toMatchObject({ type: "api_key.created", actor: { userId: organisation.caller.userId } })
    expect(created).toMatchObject({
      type: "site.created",
      subject: { type: "site", id: site.id },
      actor: { userId: organisation.caller.userId, apiKeyId: key?.subject.id }
    })
    expect(deleted).toMatchObject({ type: "site.deleted", actor: { apiKeyId: null } })
    expect((await harness.events(other)).map(({ type }) => type)).toEqual(["api_key.created"])
  })

  it("are not written for changes that fail", async () => {
    const before = await harness.events(organisation)
    harness.failNext("SiteRepository.insert")
    expect((await call("POST /api/sites", aNewSite)).status).toBe(503)
    expect((await call("POST /api/sites", {})).status).toBe(400)
    expect(await harness.events(organisation)).toEqual(before)
  })
})

describe("the requests to a harness", () => {
  it("need a key", async () => {
    expect((await calling(harness.fetch, "none")("GET /api/sites")).json.code).toBe("api_key_invalid")
  })

  it("have no limit, however many there are", async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 700; count++) statuses.add((await call("GET /api/portfolios")).status)
    expect([...statuses]).toEqual([200])
  })
})

describe("the promise facade of a harness", () => {
  it("works on the same memory, at the same time, under the same failures", async () => {
    const { sites } = harness.solarSites.as(organisation.caller)
    await harness.advance("1 hour")
    const site = await sites.create({ siteName: "Long Meadow", capacity: 750, unit: "kW" })
    expect(site.createdAt).toBe("2026-06-01T10:00:00.000Z")
    expect((await call("GET /api/sites")).json.data).toEqual([site])
    harness.failNext("SiteRepository.findById")
    await expect(sites.get(site.id)).rejects.toMatchObject({ _tag: "RepositoryError", code: "database_unavailable" })
    expect(await sites.get(site.id)).toEqual(site)
  })

  it("issues addresses to upload to", async () => {
    const { documents, sites } = harness.solarSites.as(organisation.caller)
    const { id: siteId } = await sites.create({ siteName: "Long Meadow", capacity: 750, unit: "kW" })
    const files = [{ filename: "2026.pdf", mimeType: "application/pdf" }]
    const { results } = await documents.issueUploads({ siteId, fileType: "report", files })
    for (const result of results) if (result.success) await harness.upload(result.uploadUrl, bytes(3))
    expect((await documents.list()).data).toMatchObject([{ filename: "2026.pdf", status: "uploaded" }])
  })
})

describe("an upload to a harness", () => {
  it("is there, and reported, when it has resolved", async () => {
    const { documentId, uploadUrl } = await issue(call, { fileSize: 3 })
    await harness.upload(uploadUrl, bytes(3))
    const { json } = await call(`GET /api/docs/${documentId}`)
    expect([json.status, json.sizeBytes]).toEqual(["uploaded", 3])
  })

  it("goes to the addresses that the rules give, too", async () => {
    const { documentId } = await issue(call)
    const reissue = Effect.flatMap(Documents, (documents) => documents.reissueUpload(DocumentId.make(documentId)))
    const rules = Layer.provideMerge(SolarSitesServices.layer, harness.layer)
    const { uploadUrl } = await Effect.runPromise(
      reissue.pipe(Effect.provideService(CurrentCaller, organisation.caller), Effect.provide(rules))
    )
    await harness.upload(uploadUrl, bytes(3))
    expect((await call(`GET /api/docs/${documentId}`)).json.status).toBe("uploaded")
  })

  const refused = (code: string) => ({ _tag: "UploadRefused", code, message: `upload refused by storage: ${code}` })

  it("is refused when its address has expired", async () => {
    const { documentId, uploadUrl } = await issue(call)
    await harness.advance("61 seconds")
    const refusal = harness.upload(uploadUrl, bytes(3))
    await expect(refusal).rejects.toBeInstanceOf(UploadRefused)
    await expect(refusal).rejects.toMatchObject(refused("address_expired"))
    expect((await call(`GET /api/docs/${documentId}`)).json.status).toBe("pending")
  })

  it("is taken up to the end of the minute and no longer", async () => {
    const [early, late] = [await issue(call), await issue(call)]
    await harness.advance("59999 millis")
    await harness.upload(early.uploadUrl, bytes(3))
    await harness.advance("1 millis")
    await expect(harness.upload(late.uploadUrl, bytes(3))).rejects.toMatchObject(refused("address_expired"))
  })

  it("is refused the second time", async () => {
    const { documentId, uploadUrl } = await issue(call)
    await harness.upload(uploadUrl, bytes(3))
    await expect(harness.upload(uploadUrl, bytes(4))).rejects.toMatchObject(refused("already_uploaded"))
    expect((await call(`GET /api/docs/${documentId}`)).json.sizeBytes).toBe(3)
  })

  it("is refused when it has another length than was declared", async () => {
    const { uploadUrl } = await issue(call, { fileSize: 3 })
    await expect(harness.upload(uploadUrl, bytes(4))).rejects.toMatchObject(refused("length_mismatch"))
    await harness.upload(uploadUrl, bytes(3))
  })

  it("is refused when it exceeds the maximum", async () => {
    const { uploadUrl } = await issue(call, { mimeType: "image/png" }, "coverImage")
    const tooLarge = new Uint8Array(20 * 1_024 * 1_024 + 1)
    await expect(harness.upload(uploadUrl, tooLarge)).rejects.toMatchObject(refused("file_too_large"))
  })

  it.each([
    ["a Buffer", Buffer.from("as built")],
    ["a Blob", new Blob(["as built"])],
    ["an ArrayBuffer", new TextEncoder().encode("as built").buffer]
  ])("is sent whole as %s", async (_, given) => {
    const { documentId, uploadUrl } = await issue(call, { fileSize: 8 })
    await harness.upload(uploadUrl, given)
    expect((await call(`GET /api/docs/${documentId}`)).json.status).toBe("uploaded")
  })

  it("says what it needs instead of what it cannot use", async () => {
    const result = await issue(call)
    // Like a call from JavaScript, without type checks.
    const send: (url: never, sent: never) => Promise<void> = harness.upload
    const address = "harness.upload: expected an upload address with url and headers, such as result.uploadUrl"
    for (const [given, found] of [
      [result, "a whole result"],
      [undefined, "undefined"],
      [{ path: "https://storage.invalid/x", token: "y" }, "object"]
    ]) {
      await expect(send(given as never, bytes(3) as never)).rejects.toThrow(new TypeError(`${address}, not ${found}`))
    }
    const content = "harness.upload: expected a Uint8Array, an ArrayBuffer or a Blob"
    for (const [given, found] of [
      ["as built", "string"],
      [undefined, "undefined"],
      [[1, 2], "object"]
    ]) {
      const refusal = send(result.uploadUrl as never, given as never)
      await expect(refusal).rejects.toThrow(TypeError)
      await expect(refusal).rejects.toThrow(content)
      await expect(refusal).rejects.toThrow(`not ${found}`)
    }
    expect((await call(`GET /api/docs/${result.documentId}`)).json.status).toBe("pending")
  })

  it("is refused with other headers, or at an address that was never issued", async () => {
    const { uploadUrl } = await issue(call)
    const otherType = { ...uploadUrl, headers: { "content-type": "text/plain" } }
    await expect(harness.upload(otherType, bytes(3))).rejects.toMatchObject(refused("address_invalid"))
    const made = { ...uploadUrl, url: `${uploadUrl.url}0` }
    await expect(harness.upload(made, bytes(3))).rejects.toMatchObject(refused("address_invalid"))
  })

  it("stays pending where the arrival cannot be reported, until the sweeper comes by", async () => {
    const { documentId, uploadUrl } = await issue(call)
    harness.failNext("DocumentRepository.findById")
    await harness.upload(uploadUrl, bytes(3))
    expect((await call(`GET /api/docs/${documentId}`)).json.status).toBe("pending")
    await harness.advance("61 seconds")
    expect((await call(`GET /api/docs/${documentId}`)).json.status).toBe("uploaded")
  })
})
