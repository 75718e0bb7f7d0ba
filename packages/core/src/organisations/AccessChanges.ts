/**
 * Tells every instance that a key or an organisation has lost or regained its
 * access, so that no cache goes on believing otherwise.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, type Scope } from "effect"
import type { OrganisationId } from "./Organisation.ts"

/**
 * What may have changed. Without `apiKeyId` it concerns all keys of the
 * organisation; `everything` is said when changes may have been missed.
 *
 * @category models
 * @since 0.1.0
 */
export type AccessChange = { readonly organisationId: OrganisationId; readonly apiKeyId?: string } | "everything"

/**
 * @category services
 * @since 0.1.0
 */
export class AccessChanges extends Context.Service<
  AccessChanges,
  {
    /**
     * Called after a change was committed. Every listener of this process has
     * heard of it when the effect ends; those of other processes hear of it within
     * a second while the message bus is up. Never fails: caches forget by
     * themselves within ten seconds.
     */
    readonly publish: (change: AccessChange) => Effect.Effect<void>

    /** Registers a listener until the scope closes. */
    readonly listen: (
      listener: (change: AccessChange) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@solar-sites/core/AccessChanges") {
  /** For a single process: publishes to its own listeners. */
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
