import {
  ApiKey,
  CreateOrganisation,
  CreatePortfolio,
  CreateSite,
  Document,
  Organisation,
  Portfolio,
  Site,
  SiteId,
  UpdateOrganisation,
  UpdatePortfolio,
  UpdateSite
} from "@solar-sites/core"
import { Arbitraries, anOrganisationId, SolarSitesHarness } from "@solar-sites/testing"
import { Arbitrary, Effect, Schema } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

/** Fails with the smallest value for which the property does not hold. */
const holds = async <A>(
  arbitrary: Arbitrary.Arbitrary<A>,
  property: (value: A) => void | Promise<void>,
  runs = 100
) => {
  const holdsFor = (value: A) =>
    Effect.tryPromise({
      try: async () => {
        await property(value)
        return true
      },
      catch: (cause) => cause
    })
  const result = await Effect.runPromise(Arbitrary.checkEffect(arbitrary, holdsFor, { seed: 2026, runs }))
  expect(Arbitrary.formatCheckFailure(result)).toBeUndefined()
}

const sample = <A>(arbitrary: Arbitrary.Arbitrary<A>, count = 300) =>
  Effect.runPromise(Arbitrary.sampleEffect(arbitrary, { count, seed: 2026 }))

const roundTrip = <A, I>(schema: Schema.Codec<A, I>, arbitrary: Arbitrary.Arbitrary<A>) => {
  const [encode, decode] = [Schema.encodeUnknownSync(schema), Schema.decodeUnknownSync(schema)]
  return holds(arbitrary, (value) => expect(decode(JSON.parse(JSON.stringify(encode(value))))).toEqual(value))
}

describe("an arbitrary model or input comes back as it was from JSON:", () => {
  it("site", () => roundTrip(Site, Arbitraries.site()))
  it("portfolio", () => roundTrip(Portfolio, Arbitraries.portfolio()))
  it("document", () => roundTrip(Document, Arbitraries.document()))
  it("organisation", () => roundTrip(Organisation, Arbitraries.organisation()))
  it("API key", () => roundTrip(ApiKey, Arbitraries.apiKey()))
  it("new site", () => roundTrip(CreateSite, Arbitraries.createSite()))
  it("changes of a site", () => roundTrip(UpdateSite, Arbitraries.updateSite()))
  it("new portfolio", () => roundTrip(CreatePortfolio, Arbitraries.createPortfolio()))
  it("changes of a portfolio", () => roundTrip(UpdatePortfolio, Arbitraries.updatePortfolio()))
  it("new organisation", () => roundTrip(CreateOrganisation, Arbitraries.createOrganisation()))
  it("changes of an organisation", () => roundTrip(UpdateOrganisation, Arbitraries.updateOrganisation()))
})

describe("arbitraries", () => {
  it("hold the members that all are to have, and what follows from them", async () => {
    const organisationId = anOrganisationId()
    await holds(Arbitraries.site({ organisationId, capacity: 2, unit: "MW" }), (site) => {
      expect(site).toMatchObject({ organisationId, capacityKw: 2_000 })
    })
    await holds(Arbitraries.document({ organisationId }), ({ id, path, siteId }) => {
      expect(path).toBe(`${organisationId}/${siteId}/${id}`)
    })
  })

  it("have every member that a schema has, also those that may be left out", async () => {
    const seen = new Set((await sample(Arbitraries.createSite())).flatMap(Object.keys))
    for (const member of [
      "siteName",
      "address",
      "latitude",
      "longitude",
      "portfolioId",
      "siteManager",
      "coverImageUrl"
    ]) {
      expect(seen).toContain(member)
    }
    const least = (await sample(Arbitraries.updateSite())).map((changes) => Object.keys(changes).length)
    expect(Math.min(...least)).toBeLessThanOrEqual(2)
  })

  it("are full of text that careless code trips over, in the form in which it is kept", async () => {
    const names = (await sample(Arbitraries.site())).map(({ siteName }) => siteName)
    for (const odd of [
      /<script>/,
      /'\); drop table/,
      /\p{Emoji_Presentation}/u,
      /^null$/,
      /é/,
      /שלום/,
      /\$1 \$2/,
      /^.{1}$/u
    ]) {
      expect(names.some((name) => odd.test(name))).toBe(true)
    }
    for (const name of names) {
      expect(name).toBe(name.normalize("NFC").trim())
      expect([...name].length).toBeLessThanOrEqual(200)
    }
  })

  it("shrink to what matters", async () => {
    const careless = Arbitrary.checkEffect(
      Arbitraries.createSite(),
      ({ siteName }) => Effect.succeed(!siteName.includes("<")),
      { seed: 2026 }
    )
    const result = await Effect.runPromise(careless)
    expect(result).toMatchObject({ _tag: "Falsified", shrunkInput: { siteName: "<b>" } })
    expect(Object.keys(Object(result).shrunkInput)).toEqual(["siteName", "capacity", "unit"])
  })

  it("are the same for the same seed", async () => {
    expect(await sample(Arbitraries.site(), 20)).toEqual(await sample(Arbitraries.site(), 20))
  })

  it("ask for uploads of all kinds", async () => {
    const requests = await sample(Arbitraries.issueUploads(SiteId.make(crypto.randomUUID())))
    expect(new Set(requests.map(({ fileType }) => fileType))).toEqual(
      new Set(["documents", "om-documents", "coverImage"])
    )
  })
})

describe("the whole service gives back what was sent:", () => {
  let harness: SolarSitesHarness.Harness
  let caller: SolarSitesHarness.HarnessOrganisation["caller"]
  beforeEach(async () => {
    harness = await SolarSitesHarness.make()
    caller = (await harness.createOrganisation("Sunfield Energy")).caller
  })
  afterEach(() => harness.dispose())

  it("sites", async () => {
    const { sites } = harness.solarSites.as(caller)
    await holds(Arbitraries.createSite(), async (input) => {
      const { id } = await sites.create(input)
      expect(await sites.get(id)).toMatchObject(input)
    })
  })

  it("changes of sites, and nothing else", async () => {
    const { sites } = harness.solarSites.as(caller)
    const changes = Arbitrary.all({ input: Arbitraries.createSite(), change: Arbitraries.updateSite() })
    await holds(changes, async ({ change, input }) => {
      const { id } = await sites.create(input)
      await sites.update(id, change)
      expect(await sites.get(id)).toMatchObject({ ...input, ...change })
    })
  })

  it("portfolios, in their order", async () => {
    const { portfolios } = harness.solarSites.as(caller)
    const some = (input: ReadonlyArray<{ readonly name: string }>) => input.map(({ name }) => ({ name }))
    await holds(
      Arbitraries.createPortfolios(),
      async (input) => {
        expect(await portfolios.createMany(input)).toMatchObject(some(input))
      },
      30
    )
  })

  it("organisations", () =>
    holds(Arbitraries.createOrganisation(), async (input) => {
      const { id } = await harness.solarSites.organisations.create(input)
      expect(await harness.solarSites.organisations.get(id)).toMatchObject(input)
    }))

  it("documents, by the labels that their files were sent under", async () => {
    const { documents, sites } = harness.solarSites.as(caller)
    const { id } = await sites.create({ siteName: "Long Meadow", capacity: 750, unit: "kW" })
    await holds(
      Arbitraries.issueUploads(SiteId.make(id)),
      async (request) => {
        const { results, summary } = await documents.issueUploads(request)
        expect(summary.failed).toBe(0)
        for (const [index, result] of results.entries()) {
          const { filename } = await documents.get(result.success ? result.documentId : "")
          expect(filename).toBe(request.files[index]?.filename)
        }
      },
      30
    )
  })
})
