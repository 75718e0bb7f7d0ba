/** Port methods that applications call themselves, within the reach of the caller. */
import {
  Caller,
  CurrentCaller,
  eventOrigins,
  OrganisationId,
  PortfolioId,
  ReachedPorts,
  Records,
  SiteRepository,
  siteKind
} from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
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

it("ends a call whose change would write a site outside of the portfolios of the caller", async () => {
  await using reach = await makeReach()
  const organisationId = OrganisationId.make(reach.organisationId)
  const portfolioIds = [PortfolioId.make(reach.places.inside.portfolioId)]
  const caller = new Caller({ organisationId, userId: null, apiKeyId: null, portfolioIds })
  const commit = (portfolioId: PortfolioId | null) =>
    Effect.gen(function* () {
      const site = aSite({ organisationId, portfolioId })
      const writes = [{ kind: siteKind, id: site.id, before: null, after: site }]
      const [records, origin] = [yield* Records, yield* (yield* eventOrigins)(organisationId)]
      const at = yield* DateTime.now
      return yield* records.commit("test", organisationId, { writes, reads: [], events: [], origin, at })
    }).pipe(
      Effect.provide(ReachedPorts.layer),
      Effect.provide(reach.memory),
      Effect.provideService(CurrentCaller, caller),
      Effect.runPromise
    )
  await expect(commit(null)).rejects.toThrow("outside of the portfolios")
  await expect(commit(portfolioIds[0] ?? null)).resolves.toMatchObject({ _tag: "Committed" })
})
