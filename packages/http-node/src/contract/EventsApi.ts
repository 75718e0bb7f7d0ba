/** The feed of events (specification, section 12). */
import { operations } from "@solar-sites/core/model"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { exampleSite } from "./Examples.ts"
import { operation } from "./Operation.ts"
import { conditional, partsOf } from "./Parts.ts"

const { events } = operations

export const exampleEvent = {
  id: "0197a3b0-7000-7000-8000-000000000001",
  sequence: 2,
  type: "site.updated",
  occurredAt: "2026-01-05T08:31:30.000Z",
  actor: { userId: null, apiKeyId: "0197a3b0-7000-7000-8000-00000000000d", keyPrefix: "sk_live_" },
  subject: { type: "site", id: exampleSite.id, name: exampleSite.siteName },
  siteId: exampleSite.id,
  changes: { capacity: { from: 1, to: exampleSite.capacity } },
  requestId: "0197a3b0-7c1e-7000-8000-5f0e6f0c2d11"
}

export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/api/events", conditional(partsOf(events.list))).annotateMerge(
      operation(events.list, {
        id: "listEvents",
        compressible: true,
        csv: true,
        summary: "List events",
        description:
          "What has changed, and who changed it, ascending by `sequence`; all conditions must hold. `type` is a type or a prefix such as `document.*`, and can be repeated; `siteId` includes the documents of the site; `actorId` is a user or a key; `from` is inclusive, `to` exclusive. Without `limit` the list is complete. With `limit`, in ascending order, `nextCursor` is never null: at the end it is the place to go on from later, and a reader that goes on from it misses nothing and gets nothing twice.",
        response: { data: [exampleEvent], nextCursor: null }
      })
    )
  )
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Events", description: "The changes of an organisation, in order." })) {}
