/**
 * Notifies all instances that the access of a key or an organisation has changed, so that they
 * clear their caches.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import type { OrganisationId } from "./Organisation.ts"

/**
 * The changed access. Without `apiKeyId`: all keys of the organisation. `everything`: changes may
 * have been missed.
 */
export type AccessChange = { readonly organisationId: OrganisationId; readonly apiKeyId?: string } | "everything"

export class AccessChanges extends Context.Service<
  AccessChanges,
  {
    /**
     * Publishes a committed change. Listeners of this process have run when the effect ends; those
     * of other processes run within a second while the message bus is up. Never fails: caches
     * expire within ten seconds.
     */
    readonly publish: (change: AccessChange) => Effect.Effect<void>

    /** Registers a listener until the scope closes. */
    readonly listen: (
      listener: (change: AccessChange) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@solar-sites/core/AccessChanges") {
  /** Notifies the listeners of this process alone. */
  static readonly layerInProcess: Layer.Layer<AccessChanges> = Layer.sync(AccessChanges, () => {
    const listeners = new Set<(change: AccessChange) => Effect.Effect<void>>()
    return AccessChanges.of({
      publish: (change) => Effect.forEach([...listeners], (listener) => listener(change), { discard: true }),
      listen: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => void listeners.add(listener)),
          () => Effect.sync(() => void listeners.delete(listener))
        )
    })
  })
}
