import {
  CreatePortfolios,
  CreateSite,
  faultsOf,
  IssueHostUploads,
  ListSites,
  Records,
  RepositoryError,
  SiteIds,
  SiteNotFound,
  SiteRepository,
  SolarSites,
  UpdateSite,
  ValidationFailed
} from "@solar-sites/core"
import { Effect, Layer, Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { makeSetup, newSite, refusal, sharedMemory, unknownId } from "./setup.ts"

/** The faults of such a body over HTTP. */
const faults = (schema: Schema.Decoder<unknown>, body: unknown) => {
  const result = Schema.decodeUnknownResult(schema)(body, { errors: "all", onExcessProperty: "error" })
  return Result.isFailure(result) ? faultsOf(result.failure.issue) : []
}

/** Parsed JSON without a type, as an application in JavaScript passes it. */
const untyped = (text: string) => JSON.parse(text)

const undefinedAs = (name: string): object => ({ [name]: undefined })

const wrongSite = `{ "siteName": " ", "capacity": "1", "unit": "kw", "latitude": 91, "colour": "green",
  "siteManager": { "email": "nobody", "extra": 1 }, "portfolioId": "nonsense" }`

describe("the promises refuse", () => {
  it("the inputs that HTTP refuses, with the same faults", async () => {
    await using setup = await makeSetup()
    const { documents, portfolios, sites } = setup.user
    const body = untyped(wrongSite)
    const { id } = await sites.create(newSite)
    const portfolio = await portfolios.create({ name: "South" })
    const wrong = untyped(`["nonsense", 1]`)
    const cases = [
      [sites.create(body), CreateSite, body],
      [sites.create(untyped("null")), CreateSite, null],
      [sites.create(untyped("[]")), CreateSite, []],
      [sites.update(id, body), UpdateSite, body],
      [sites.list(untyped(`{ "limit": 0, "siteId": "x", "page": 1 }`)), ListSites, { limit: 0, siteId: "x", page: 1 }],
      [portfolios.createMany([]), CreatePortfolios, []],
      [portfolios.createMany(untyped(`[{ "name": "" }, {}]`)), CreatePortfolios, [{ name: "" }, {}]],
      [portfolios.addSites(portfolio.id, wrong), SiteIds, wrong],
      [documents.issueUploads(untyped(`{ "files": [{}] }`)), IssueHostUploads, { files: [{}] }]
    ] as const
    for (const [promise, schema, sent] of cases) {
      const error = await refusal(promise)
      expect(error).toBeInstanceOf(ValidationFailed)
      expect(error).toMatchObject({ _tag: "ValidationFailed", code: "validation_failed" })
      expect(error).toHaveProperty("faults", faults(schema, sent))
    }
    expect((await sites.list()).data.length).toBe(1)
  })

  it("an invalid cursor together with all other faults", async () => {
    await using setup = await makeSetup()
    const query = { limit: 1_001, cursor: "made-up" }
    const [sites, organisations] = [setup.user.sites.list(query), setup.solar.organisations.list(query)]
    for (const promise of [sites, organisations]) {
      expect(await refusal(promise)).toMatchObject({
        faults: [
          { pointer: "/limit", code: "out_of_range" },
          { pointer: "/cursor", code: "invalid_cursor" }
        ]
      })
    }
  })

  it("no member that is undefined", async () => {
    await using setup = await makeSetup()
    const { sites } = setup.user
    const site = await sites.create({ ...newSite, ...undefinedAs("address") })
    expect(site.address).toBe(null)
    expect(await sites.update(site.id, undefinedAs("siteName"))).toEqual(site)
    expect((await sites.list(undefinedAs("siteId"))).data).toEqual([site])
    const without = sites.create({ ...newSite, ...undefinedAs("siteName") })
    expect(await refusal(without)).toMatchObject({ faults: [{ pointer: "/siteName", code: "required" }] })
  })

  it("an object that contains itself", async () => {
    await using setup = await makeSetup()
    const loop: Record<string, unknown> = {}
    loop["siteName"] = loop
    expect(await refusal(setup.user.sites.update(unknownId, loop))).toMatchObject({
      faults: [{ pointer: "/siteName", code: "invalid_type" }]
    })
  })

  it("an id that is no UUID like an unknown id, after the faults of the input", async () => {
    await using setup = await makeSetup()
    const { apiKeys, documents, portfolios, sites } = setup.user
    for (const id of [unknownId, "nonsense"]) {
      const refusals = await Promise.all(
        [
          sites.get(id),
          sites.update(id, {}),
          sites.delete(id),
          portfolios.get(id),
          portfolios.addSites(id, [unknownId]),
          portfolios.delete(id),
          documents.get(id),
          documents.changeStatus(id, { status: "approved" }),
          documents.downloadUrl(id),
          apiKeys.get(id),
          apiKeys.rotate(id),
          setup.solar.organisations.get(id)
        ].map(refusal)
      )
      expect(refusals).toMatchObject([
        ...Array.from({ length: 3 }, () => ({ _tag: "SiteNotFound", code: "site_not_found", siteIds: [id] })),
        ...Array.from({ length: 3 }, () => ({ _tag: "PortfolioNotFound", code: "portfolio_not_found" })),
        ...Array.from({ length: 3 }, () => ({ _tag: "DocumentNotFound", code: "document_not_found" })),
        ...Array.from({ length: 2 }, () => ({ _tag: "ApiKeyNotFound", apiKeyId: id })),
        { _tag: "OrganisationNotFound", code: "organisation_not_found", organisationId: id }
      ])
      expect(refusals[0]).toBeInstanceOf(SiteNotFound)
    }
    expect(await refusal(sites.update("nonsense", untyped(wrongSite)))).toMatchObject({ _tag: "ValidationFailed" })
  })

  it("resources of another organisation like unknown ones", async () => {
    await using setup = await makeSetup()
    const { portfolios, sites } = setup.user
    const other = await setup.newUser()
    const site = await sites.create(newSite)
    const theirs = await portfolios.create({ name: "South" })
    const attempts = [
      other.sites.get(site.id),
      other.sites.update(site.id, { siteName: "Mine" }),
      other.sites.delete(site.id),
      other.sites.create({ ...newSite, portfolioId: theirs.id }),
      other.portfolios.addSites(theirs.id, [site.id])
    ]
    expect((await Promise.all(attempts.map(refusal))).map((error) => Object(error)._tag)).toEqual([
      "SiteNotFound",
      "SiteNotFound",
      "SiteNotFound",
      "PortfolioNotFound",
      "PortfolioNotFound"
    ])
    expect((await other.sites.list({ siteId: site.id })).data).toEqual([])
    expect(await sites.get(site.id)).toEqual(site)
  })

  it("creations for an unknown organisation", async () => {
    await using setup = await makeSetup()
    const { apiKeys, portfolios, sites } = setup.solar.as({ organisationId: unknownId })
    for (const promise of [
      sites.create(newSite),
      portfolios.create({ name: "South" }),
      apiKeys.create({ name: "K" })
    ]) {
      expect(await refusal(promise)).toMatchObject({ _tag: "OrganisationNotFound", organisationId: unknownId })
    }
  })

  it("a change of another version than the expected one, and unknown options", async () => {
    await using setup = await makeSetup()
    const { sites } = setup.user
    const { id } = await sites.create(newSite)
    expect(await refusal(sites.update(id, { siteName: "New" }, { expectedVersion: 2 }))).toMatchObject({
      _tag: "VersionMismatch",
      code: "precondition_failed",
      actual: 1
    })
    for (const options of [`{ "expectedVersion": "1" }`, `{ "expectedVersion": 0.5 }`, `{ "expectedVersions": [1] }`]) {
      expect(await refusal(sites.delete(id, untyped(options)))).toMatchObject({ _tag: "ValidationFailed" })
    }
    expect((await sites.get(id)).version).toBe(1)
  })

  it("invalid durations and keys", async () => {
    await using setup = await makeSetup()
    const { apiKeys } = setup.user
    const { apiKey } = await apiKeys.create({ name: "Reporting" })
    const wrong = [
      [apiKeys.create({ name: "K", expiresIn: "soon" }), "/expiresIn", "invalid_duration"],
      [apiKeys.create({ name: "K", expiresIn: "0 seconds" }), "/expiresIn", "out_of_range"],
      [apiKeys.create({ name: "K", expiresIn: "Infinity" }), "/expiresIn", "out_of_range"],
      [apiKeys.create({ name: "K", expiresIn: "36501 days" }), "/expiresIn", "out_of_range"],
      [apiKeys.rotate(apiKey.id, { overlap: "-1 seconds" }), "/overlap", "out_of_range"],
      [apiKeys.rotate(apiKey.id, { overlap: "Infinity" }), "/overlap", "out_of_range"]
    ] as const
    for (const [promise, pointer, code] of wrong) {
      expect(await refusal(promise)).toMatchObject({ faults: [{ pointer, code }] })
    }
    expect((await apiKeys.list()).data.length).toBe(1)
    for (const key of ["", "sk_live_", untyped("null")]) {
      expect(await refusal(setup.solar.authenticate(key))).toMatchObject({ code: "api_key_invalid" })
    }
  })

  it("with the failures and defects of adapters", async () => {
    const bug = new TypeError("a bug")
    const failure = new RepositoryError({ operation: "SiteRepository.list", retryable: true, cause: new Error("lost") })
    const memory = await sharedMemory()
    const broken = Layer.merge(
      Layer.effect(
        Records,
        Effect.map(Records, (records) => ({ ...records, load: () => Effect.die(bug) }))
      ),
      Layer.effect(
        SiteRepository,
        Effect.map(SiteRepository, (sites) => ({ ...sites, list: () => Effect.fail(failure) }))
      )
    ).pipe(Layer.provideMerge(memory))
    await using solar = SolarSites.make(broken)
    const { sites } = solar.as({ organisationId: unknownId })
    expect(await refusal(sites.get(unknownId))).toBe(bug)
    expect(await refusal(sites.list())).toBe(failure)
  })
})
