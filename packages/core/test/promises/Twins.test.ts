import type {
  ApiKeys,
  Documents,
  Organisations,
  Portfolios,
  Sites,
  SolarSites,
  SolarSitesForCaller
} from "@solar-sites/core"
import {
  ApiKeys as ApiKeyRules,
  Documents as DocumentRules,
  Organisations as OrganisationRules,
  Portfolios as PortfolioRules,
  Sites as SiteRules
} from "@solar-sites/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { makeSetup } from "./setup.ts"

type TwinsOf<Service> = { readonly [Method in keyof Service]: unknown }

/** Does not compile when a method of a service has no promise. */
const twins = (solar: SolarSites, person: SolarSitesForCaller) => ({
  organisations: solar.organisations satisfies TwinsOf<Organisations["Service"]>,
  sites: person.sites satisfies TwinsOf<Sites["Service"]>,
  portfolios: person.portfolios satisfies TwinsOf<Portfolios["Service"]>,
  documents: { ...person.documents, objectArrived: solar.objectArrived } satisfies TwinsOf<Documents["Service"]>,
  apiKeys: { ...person.apiKeys, authenticate: solar.authenticate } satisfies TwinsOf<ApiKeys["Service"]>
})

const rules = Effect.gen(function* () {
  return {
    organisations: yield* OrganisationRules,
    sites: yield* SiteRules,
    portfolios: yield* PortfolioRules,
    documents: yield* DocumentRules,
    apiKeys: yield* ApiKeyRules
  }
})

const namesOf = (groups: Readonly<Record<string, object>>) =>
  Object.entries(groups).flatMap(([group, methods]) => Object.keys(methods).map((name) => `${group}.${name}`))

describe("the promises", () => {
  it("are those of every service method and no others", async () => {
    await using setup = await makeSetup()
    const services = await Effect.runPromise(Effect.provide(rules, setup.services))
    expect(namesOf(twins(setup.solar, setup.person)).sort()).toEqual(namesOf(services).sort())
  })
})
