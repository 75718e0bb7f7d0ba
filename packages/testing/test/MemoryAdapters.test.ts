import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, aPortfolio, aSite, MemoryAdapters, portfolioMethods, siteMethods } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { expect, it } from "vitest"

const organisation = anOrganisation()
const portfolio = aPortfolio({ organisationId: organisation.id })
const site = aSite({
  organisationId: organisation.id,
  portfolioId: portfolio.id,
  siteManager: { name: "Ada", email: null, phone: null, company: null, userId: null }
})

const store = Effect.gen(function* () {
  yield* (yield* OrganisationRepository).insert(organisation)
  yield* (yield* portfolioMethods).insertMany(organisation.id, [portfolio])
  yield* (yield* siteMethods).insert(organisation.id, site)
})

const findSite = Effect.flatMap(siteMethods, (sites) => sites.findById(organisation.id, site.id))

it("starts with fresh memory each time it is built", async () => {
  await Effect.runPromise(Effect.provide(store, MemoryAdapters.layer))
  expect(await Effect.runPromise(Effect.provide(findSite, MemoryAdapters.layer))).toEqual(Option.none())
})

it("protects its records from changes by callers", async () => {
  const found = await Effect.runPromise(
    Effect.provide(Effect.andThen(store, findSite), MemoryAdapters.layer).pipe(Effect.map(Option.getOrThrow))
  )
  expect(() => Object.assign(found, { siteName: "Mine now" })).toThrow(TypeError)
  expect(() => Object.assign(found.siteManager ?? {}, { name: "Eve" })).toThrow(TypeError)
})
