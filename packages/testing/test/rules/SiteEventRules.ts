/**
 * Events of new and changed sites: exactly one per change, none of refusals.
 */

import type { Site } from "@solar-sites/core"
import { Effect } from "effect"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { asCallerOf, type EventPorts, expectEvents, expectNoEvent } from "../../src/conformance/EventSetup.ts"
import { siteMethods } from "../../src/conformance/Methods.ts"
import {
  changedAt,
  hostileTexts,
  insertOrganisation,
  insertPortfolio,
  insertSite
} from "../../src/conformance/Setup.ts"
import { anOrganisationId, aSite } from "../../src/fixtures.ts"

const manager = { name: "Ada", email: null, phone: "1", company: null, userId: "u-1" }

const about = ({ id, siteName }: Site) => ({ siteId: id, subject: { id, name: siteName } })

export const siteEventCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "writes an event for a new site, with the members that have a value",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const bare = aSite({ organisationId })
      const created = { from: null, to: bare.siteName }
      const size = { capacity: { from: null, to: 750 }, unit: { from: null, to: "kW" } }
      yield* expectEvents(organisationId, sites.insert(organisationId, bare), [
        { type: "site.created", ...about(bare), changes: { siteName: created, ...size } }
      ])
      const full = aSite({
        organisationId,
        portfolioId,
        capacity: 0.1,
        address: "1 Sun Lane\nLeeds",
        latitude: -0.000001,
        longitude: 180,
        siteManager: manager,
        coverImageUrl: "https://images.example/a.jpg"
      })
      yield* expectEvents(organisationId, sites.insert(organisationId, full), [
        {
          type: "site.created",
          ...about(full),
          changes: {
            siteName: created,
            capacity: { from: null, to: 0.1 },
            unit: { from: null, to: "kW" },
            address: { from: null, to: "1 Sun Lane\nLeeds" },
            latitude: { from: null, to: -0.000001 },
            longitude: { from: null, to: 180 },
            portfolioId: { from: null, to: portfolioId },
            siteManager: { from: null, to: manager },
            coverImageUrl: { from: null, to: "https://images.example/a.jpg" }
          }
        }
      ])
    })
  },
  {
    name: "writes no event for a site that is refused, or stored already",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const other = yield* insertOrganisation()
      const site = yield* insertSite(organisationId)
      const absent = yield* insertPortfolio(other)
      yield* expectNoEvent(organisationId, sites.insert(organisationId, aSite({ ...site, siteName: "Again" })))
      yield* expectNoEvent(
        organisationId,
        sites.insert(organisationId, aSite({ organisationId, portfolioId: absent.id }))
      )
      const nowhere = anOrganisationId()
      yield* expectNoEvent(nowhere, sites.insert(nowhere, aSite({ organisationId: nowhere })))
    })
  },
  {
    name: "writes one event per site of concurrent inserts",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const stored = yield* insertSite(organisationId)
      const fresh = Array.from({ length: 5 }, (_, index) => aSite({ organisationId, siteName: `Site ${index}` }))
      const callers = fresh.map((site) => asCallerOf(organisationId)(sites.insert(organisationId, site)))
      const inserts = [sites.insert(organisationId, stored), ...callers.map(({ ran }) => ran)]
      const expected = fresh.flatMap((site, index) => {
        const changes = {
          siteName: { from: null, to: site.siteName },
          capacity: { from: null, to: 750 },
          unit: { from: null, to: "kW" }
        }
        const origin = callers[index]?.origin
        return origin === undefined ? [] : [{ type: "site.created" as const, ...about(site), changes, ...origin }]
      })
      yield* expectEvents(organisationId, Effect.all(inserts, { concurrency: "unbounded" }), expected)
    })
  },
  {
    name: "writes the old and new values of an update, and only those that differ",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const site = yield* insertSite(organisationId, { siteManager: manager, portfolioId, capacity: 1.5 })
      const next = { ...manager, phone: null }
      const changes = { capacity: 2, siteName: "Renamed", unit: "kW", siteManager: next, portfolioId: null } as const
      yield* expectEvents(organisationId, sites.update(organisationId, site.id, changes, { at: changedAt }), [
        {
          type: "site.updated",
          siteId: site.id,
          subject: { id: site.id, name: "Renamed" },
          changes: {
            siteName: { from: site.siteName, to: "Renamed" },
            capacity: { from: 1.5, to: 2 },
            portfolioId: { from: portfolioId, to: null },
            siteManager: { from: manager, to: next }
          }
        }
      ])
    })
  },
  {
    name: "keeps text in events exactly as it is",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const site = yield* insertSite(yield* insertOrganisation())
      const { organisationId } = site
      let from = site.siteName
      for (const siteName of hostileTexts) {
        const updated = sites.update(organisationId, site.id, { siteName }, { at: changedAt })
        yield* expectEvents(organisationId, updated, [
          {
            type: "site.updated",
            siteId: site.id,
            subject: { id: site.id, name: siteName },
            changes: { siteName: { from, to: siteName } }
          }
        ])
        from = siteName
      }
    })
  },
  {
    name: "writes no event for an update that is refused or changes nothing",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const site = yield* insertSite(organisationId)
      const absent = yield* insertPortfolio(yield* insertOrganisation())
      const update = (changes: Parameters<typeof sites.update>[2], expectedVersions?: ReadonlyArray<number>) =>
        sites.update(organisationId, site.id, changes, { at: changedAt, ...(expectedVersions && { expectedVersions }) })
      yield* expectNoEvent(organisationId, update({}))
      yield* expectNoEvent(organisationId, update({ siteName: site.siteName, address: null }))
      yield* expectNoEvent(organisationId, update({ siteName: "X" }, [7]))
      yield* expectNoEvent(organisationId, update({ siteName: "X", portfolioId: absent.id }))
      yield* expectNoEvent(
        organisationId,
        sites.update(organisationId, aSite().id, { siteName: "X" }, { at: changedAt })
      )
    })
  }
]
