import {
  ApiKeys,
  Coverage,
  Documents,
  Organisations,
  Portfolios,
  Requirements,
  Sites,
  type SolarSites,
  type SolarSitesForCaller
} from "@solar-sites/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { makeSetup } from "./setup.ts"

type SameMethods<Service> = { readonly [Method in keyof Service]: unknown }

/** Does not compile if a service method has no promise. */
const promisesOf = (solar: SolarSites, user: SolarSitesForCaller) => ({
  organisations: solar.organisations satisfies SameMethods<Organisations["Service"]>,
  sites: user.sites satisfies SameMethods<Sites["Service"]>,
  portfolios: user.portfolios satisfies SameMethods<Portfolios["Service"]>,
  documents: { ...user.documents, objectArrived: solar.objectArrived } satisfies SameMethods<Documents["Service"]>,
  requirements: user.requirements satisfies SameMethods<Requirements["Service"]>,
  coverage: user.coverage satisfies SameMethods<Coverage["Service"]>,
  apiKeys: { ...user.apiKeys, authenticate: solar.authenticate } satisfies SameMethods<ApiKeys["Service"]>
})

const services = Effect.all({
  organisations: Organisations,
  sites: Sites,
  portfolios: Portfolios,
  documents: Documents,
  requirements: Requirements,
  coverage: Coverage,
  apiKeys: ApiKeys
})

const namesOf = (groups: Readonly<Record<string, object>>) =>
  Object.entries(groups).flatMap(([group, methods]) => Object.keys(methods).map((name) => `${group}.${name}`))

describe("the promises", () => {
  it("have the same methods as the services", async () => {
    await using setup = await makeSetup()
    const methods = await Effect.runPromise(Effect.provide(services, setup.services))
    expect(namesOf(promisesOf(setup.solar, setup.user)).sort()).toEqual(namesOf(methods).sort())
  })
})
