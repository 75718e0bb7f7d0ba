/**
 * Concurrent writes in a `SiteRepository`.
 */

import { PortfolioNotFound, SiteNotFound } from "@solar-sites/core"
import { Effect } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { race, repeatedly, succeeded, succeededOrRefused } from "./Expectations.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import {
  changedAgainAt,
  changedAt,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "./Setup.ts"

const atOnce = { concurrency: "unbounded" } as const

export const siteDeletionCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "lets one of two concurrent deletes succeed",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const { id, organisationId } = yield* insertSite(yield* insertOrganisation())
        const results = yield* race(sites.delete(organisationId, id), sites.delete(organisationId, id))
        const wins = results.map((result) => succeededOrRefused(result, SiteNotFound, "the other one finds nothing"))
        assert.deepEqual(wins.sort(), [false, true], "one of them deleted it")
      })
    )
  },
  {
    name: "does not restore a site by an update that is concurrent with its delete",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const site = yield* insertSite(yield* insertOrganisation())
        const { id, organisationId } = site
        const [updated, deleted] = yield* race(
          sites.update(organisationId, id, { siteName: "Late" }, { at: changedAt }),
          sites.delete(organisationId, id)
        )
        succeeded(deleted, "the delete finds the site, changed or not")
        succeededOrRefused(updated, SiteNotFound, "the update comes too late")
        assert.equal(yield* currentSite(site), null, "a deleted site stays away")
      })
    )
  },
  {
    name: "leaves no site in a portfolio that is deleted while it is inserted or moved there",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const portfolios = yield* portfolioMethods
        const organisationId = yield* insertOrganisation()
        const { id: portfolioId } = yield* insertPortfolio(organisationId)
        const moving = yield* insertSite(organisationId)
        const fresh = aSite({ organisationId, portfolioId })
        const [inserted, moved, deleted] = yield* Effect.all(
          [
            Effect.result(sites.insert(organisationId, fresh)),
            Effect.result(sites.update(organisationId, moving.id, { portfolioId }, { at: changedAt })),
            Effect.result(portfolios.delete(organisationId, portfolioId, { at: changedAgainAt }))
          ],
          atOnce
        )
        succeeded(deleted, "the portfolio can be deleted")
        const isInserted = succeededOrRefused(inserted, PortfolioNotFound, "an insert is too late for the portfolio")
        const isMoved = succeededOrRefused(moved, PortfolioNotFound, "a move is too late for the portfolio")
        const released = [yield* currentSite(fresh), yield* currentSite(moving)] as const
        assert.equal(released[0] !== null, isInserted, "an insert that succeeded is there")
        for (const site of released) assert.equal(site?.portfolioId ?? null, null, "no site points at what is gone")
        assert.equal(released[1]?.version, isMoved ? 3 : 1, "moved and released, or neither")
      })
    )
  }
]
