/** Port methods that applications call themselves, within the reach of the caller. */
import { Caller, CurrentCaller, OrganisationId, PortfolioId, ReachedPorts, SiteRepository } from "@solar-sites/core"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { makeReach } from "./reachSetup.ts"

it("finds external ids of sites within the portfolios of the caller alone", async () => {
  await using reach = await makeReach()
  const { inside, outside, unplaced } = reach.places
  for (const [externalId, { siteId }] of Object.entries({ inside, outside, unplaced })) {
    await reach.owner.sites.update(siteId, { externalId })
  }
  const organisationId = OrganisationId.make(reach.organisationId)
  const caller = { organisationId, userId: null, apiKeyId: null }
  const found = (caller: Caller) =>
    SiteRepository.use((sites) => sites.idsByExternalId(organisationId, ["inside", "outside", "unplaced"])).pipe(
      Effect.map((ids) => [...ids]),
      Effect.provide(ReachedPorts.layer),
      Effect.provide(reach.memory),
      Effect.provideService(CurrentCaller, caller),
      Effect.runPromise
    )
  const portfolioIds = [PortfolioId.make(inside.portfolioId)]
  expect(await found(new Caller({ ...caller, portfolioIds }))).toEqual([["inside", inside.siteId]])
  expect(await found(new Caller(caller))).toHaveLength(3)
})
