/** Ports without background work, for instances beside one that runs it. */
import { DocumentMaintenance, WebhookQueue } from "@solar-sites/core"
import { Context, Effect } from "effect"

const nothingDue = DocumentMaintenance.of({
  findDue: () => Effect.succeed([]),
  claimPending: () => Effect.succeed([]),
  claimDeleted: () => Effect.succeed([]),
  forgetDeleted: () => Effect.void,
  findEnding: () => Effect.succeed([]),
  listEnding: () => Effect.succeed({ items: [], hasMore: false })
})

const nothingQueued = WebhookQueue.of({
  findUndispatched: () => Effect.succeed([]),
  dispatch: () => Effect.succeed(0),
  findDue: () => Effect.succeed([]),
  claim: () => Effect.succeedNone,
  settle: () => Effect.void,
  oldestPending: Effect.succeedNone,
  findOrganisations: () => Effect.succeed([]),
  purge: () => Effect.succeed(0)
})

/** Ports on which no sweeper and no webhook worker finds anything to do. */
export const withoutBackgroundWork = <Services>(
  ports: Context.Context<Services>
): Context.Context<Services | DocumentMaintenance | WebhookQueue> =>
  ports.pipe(Context.add(DocumentMaintenance, nothingDue), Context.add(WebhookQueue, nothingQueued))
