/**
 * Events of saved and deleted sites: exactly one per change, none of refusals.
 */

import type { Site } from "@solar-sites/core"
import { Effect } from "effect"
import { aSite } from "../fixtures.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { insertDocument } from "./DocumentSetup.ts"
import { asCallerOf, type EventPorts, expectEvents, expectNoEvent } from "./EventSetup.ts"
import { siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertSite } from "./Setup.ts"

const about = ({ id, siteName }: Site) => ({ siteId: id, subject: { id, name: siteName } })

export const siteEventCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "writes an event for each site that a bulk operation creates or changes, in its order",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const there = yield* insertSite(organisationId, { externalId: "A", tags: ["a"] })
      yield* insertSite(organisationId, { externalId: "B" })
      const fresh = aSite({ organisationId, externalId: "C", attributes: { a: 1 } })
      const saves = [
        { site: fresh, changes: null },
        { site: null, changes: { externalId: "B" } },
        { site: null, changes: { externalId: "A", tags: [], attributes: { x: true } } }
      ]
      const save = (dryRun: boolean) => sites.saveMany(organisationId, saves, { at: changedAt, dryRun })
      yield* expectNoEvent(organisationId, save(true))
      const { ran, origin } = asCallerOf(organisationId)(save(false))
      yield* expectEvents(organisationId, ran, [
        {
          type: "site.created",
          ...about(fresh),
          changes: {
            siteName: { from: null, to: fresh.siteName },
            capacity: { from: null, to: 750 },
            unit: { from: null, to: "kW" },
            externalId: { from: null, to: "C" },
            attributes: { from: null, to: { a: 1 } }
          },
          ...origin
        },
        {
          type: "site.updated",
          ...about(there),
          changes: { tags: { from: ["a"], to: [] }, attributes: { from: {}, to: { x: true } } },
          ...origin
        }
      ])
      yield* expectNoEvent(organisationId, save(false))
    })
  },
  {
    name: "writes the events of a deleted site and of each of its documents",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const site = yield* insertSite(organisationId)
      const documents = [yield* insertDocument(site), yield* insertDocument(site)]
      yield* insertDocument(yield* insertSite(organisationId))
      yield* expectNoEvent(organisationId, sites.delete(organisationId, site.id, [7]))
      const caller = asCallerOf(organisationId)(sites.delete(organisationId, site.id))
      yield* expectEvents(organisationId, caller.ran, [
        {
          type: "site.deleted",
          ...about(site),
          ...caller.origin,
          changes: {
            siteName: { from: site.siteName, to: null },
            capacity: { from: 750, to: null },
            unit: { from: "kW", to: null }
          }
        },
        ...documents.map(({ filename, id, mimeType, sizeBytes, status, type }) => ({
          type: "document.deleted" as const,
          siteId: site.id,
          subject: { id, name: filename },
          ...caller.origin,
          changes: {
            type: { from: type, to: null },
            filename: { from: filename, to: null },
            status: { from: status, to: null },
            mimeType: { from: mimeType, to: null },
            sizeBytes: { from: sizeBytes, to: null }
          }
        }))
      ])
      yield* expectNoEvent(organisationId, sites.delete(organisationId, site.id))
    })
  }
]
