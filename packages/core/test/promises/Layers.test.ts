import { AccessChanges, RateLimiter, SolarSites, type SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"

const memory = MemoryAdapters.layer

/** The memory without the ports that default to the process. */
const required = Layer.effectContext(
  Effect.map(Layer.build(memory), (ports) => Context.omit(AccessChanges, RateLimiter)(ports))
)

describe("SolarSites.make with a layer", () => {
  it("names all ports that the layer lacks, in types and at run time, and the adapters to add", async () => {
    // @ts-expect-error "ports that the layer lacks": "ApiKeyStore" | "DocumentMaintenance" | …
    await using solar = SolarSites.make(Layer.merge(RateLimiter.layerInProcess, AccessChanges.layerInProcess))
    const database = [
      "OrganisationRepository, Records, SiteRepository, PortfolioRepository, DocumentRepository, DocumentMaintenance",
      "RequirementRepository, ApiKeyStore, IdempotencyStore, EventRepository",
      "WebhookQueue"
    ].join(", ")
    await expect(solar.organisations.list()).rejects.toThrow(
      `adapters: ${database}, DocumentStorage missing; add a database such as Postgres.layer({ url }) and a storage such as S3.layer({ bucket, region })`
    )
  })

  it("publishes access changes and limits rates in process unless the layer does", async () => {
    await using solar = SolarSites.make(required)
    const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
    const { secret } = await solar.as({ organisationId, userId: "ada" }).apiKeys.create({ name: "Reporting" })
    expect((await solar.authenticate(secret)).organisationId).toBe(organisationId)
    await solar.organisations.update(organisationId, { status: "inactive" })
    await expect(solar.authenticate(secret)).rejects.toMatchObject({ code: "organisation_inactive" })
  })

  it("uses the ports of the layer where it has them", async () => {
    const published: Array<unknown> = []
    const changes = Layer.succeed(AccessChanges, {
      publish: (change) => Effect.sync(() => void published.push(change)),
      listen: () => Effect.void
    })
    await using solar = SolarSites.make(Layer.merge(required, changes))
    const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
    await solar.organisations.update(organisationId, { status: "inactive" })
    expect(published).toEqual([{ organisationId }])
  })
})

describe("SolarSites.make with adapters by role", () => {
  it("takes layers, and objects that have one", async () => {
    await using solar = SolarSites.make({ database: memory, storage: { layer: memory }, redis: memory })
    const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
    const { documents, sites } = solar.as({ organisationId })
    const { id: siteId } = await sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MWp" })
    const files = [{ filename: "a.txt", mimeType: "text/plain" }]
    expect((await documents.issueUploads({ siteId, fileType: "documents", files })).summary.successful).toBe(1)
  })

  it("takes from each adapter the ports of its role alone", async () => {
    // Each is a memory of its own, with every port.
    const [database, storage, redis] = [Layer.fresh(memory), Layer.fresh(memory), Layer.fresh(memory)]
    const ports = async (layer: Layer.Layer<SolarSitesServices.RequiredPorts, unknown>) =>
      Effect.runPromise(Effect.scoped(Layer.build(layer)))
    const own = await Promise.all([database, storage, redis].map(ports))
    const [asDatabase, asStorage, asRedis] = own.map((context) => Layer.succeedContext(context))
    if (asDatabase === undefined || asStorage === undefined || asRedis === undefined) throw new Error("three adapters")
    const composed = await ports(
      SolarSites.layerOf({
        database: asDatabase,
        storage: asStorage,
        redis: asRedis as Layer.Layer<SolarSitesServices.SolarSitesPorts>
      })
    )
    const sourceOf = (key: string) =>
      own.findIndex((context) => context.mapUnsafe.get(key) === composed.mapUnsafe.get(key))
    const names = [
      "SiteRepository",
      "ApiKeyStore",
      "IdempotencyStore",
      "DocumentStorage",
      "RateLimiter",
      "AccessChanges"
    ]
    expect(names.map((name) => sourceOf(`@solar-sites/core/${name}`))).toEqual([0, 0, 0, 1, 2, 2])
  })

  it("applies the limits of uploads", async () => {
    await using solar = SolarSites.make({ database: memory, storage: memory, uploads: { maximumFileBytes: 10 } })
    const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
    const { documents, sites } = solar.as({ organisationId })
    const { id: siteId } = await sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MWp" })
    const files = [10, 11].map((fileSize) => ({ filename: "a.txt", mimeType: "text/plain", fileSize }))
    const { results } = await documents.issueUploads({ siteId, fileType: "documents", files })
    expect(results.map(({ success }) => success)).toEqual([true, false])
  })

  const bothAdapters = { database: memory, storage: memory }
  const findById = () => null

  it.each([
    [undefined, "The options of Solar Sites must be an object with some of database, storage, redis, "],
    [memory.pipe, "The options of Solar Sites must be an object with some of database, storage, redis, "],
    [{}, "database of Solar Sites must be an adapter such as Postgres.layer({ url }); it is undefined"],
    [Promise.resolve(), "database of Solar Sites must be an adapter such as Postgres.layer({ url })"],
    [{ ...bothAdapters, database: { url: "postgres://" } }, "database of Solar Sites must be an adapter"],
    [{ database: memory }, "storage of Solar Sites must be an adapter such as S3.layer({ bucket, region })"],
    [{ ...bothAdapters, redis: "redis://" }, "redis of Solar Sites must be an adapter such as Redis.layer({ url })"],
    [{ ...bothAdapters, storge: memory }, "Solar Sites has no option storge; it has database, storage, redis, "],
    [{ ...bothAdapters, organisations: { findById } }, "organisations.list of Solar Sites must be a function"],
    [{ ...bothAdapters, omRecords: findById }, "omRecords.exists of Solar Sites must be a function; it is undefined"],
    [{ ...bothAdapters, uploads: { maximumFileSize: 1 } }, "Solar Sites has no option maximumFileSize"],
    [{ ...bothAdapters, uploads: { maximumFileBytes: -1 } }, "uploads.maximumFileBytes of Solar Sites must be bytes"],
    [{ ...bothAdapters, uploads: { grace: "soon" } }, "uploads.grace of Solar Sites must be a duration, such as"]
  ])("throws a TypeError that names the wrong option: %o", (adapters, sentence) => {
    // As from JavaScript, which checks no types.
    const making = () => SolarSites.make(adapters as never)
    expect(making).toThrow(TypeError)
    expect(making).toThrow(sentence)
  })
})
