/**
 * Ports whose calls a test can stop on their way: before they begin, or with
 * their answer in hand.
 */
import { DocumentRepository, DocumentStorage, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Context, Deferred, Effect, Layer } from "effect"

/** One call that was stopped. */
export interface Stopped {
  /** Until the call has come. */
  readonly reached: Effect.Effect<void>
  readonly release: Effect.Effect<unknown>
}

interface Stop extends Stopped {
  readonly method: string
  readonly when: "before" | "after"
  readonly come: Effect.Effect<unknown>
  readonly released: Effect.Effect<void>
}

/** All services over memory, and what stops the next call of a method such as `DocumentStorage.inspect`. */
export const stoppableServices = () => {
  const stops: Array<Stop> = []

  const stoppable = <Service extends object>(name: string, intact: Service): Service =>
    new Proxy(intact, {
      get: (target, key, receiver) => {
        const method = Reflect.get(target, key, receiver)
        if (typeof method !== "function") return method
        return (...args: ReadonlyArray<unknown>) =>
          Effect.suspend(() => {
            const index = stops.findIndex((stop) => stop.method === `${name}.${String(key)}`)
            const call = Effect.suspend(() => method.apply(target, args))
            const [stop] = index < 0 ? [] : stops.splice(index, 1)
            if (stop === undefined) return call
            const wait = Effect.andThen(stop.come, stop.released)
            return stop.when === "before" ? Effect.andThen(wait, call) : Effect.tap(call, wait)
          })
      }
    })

  const adapters = Layer.effectContext(
    Effect.map(Layer.build(MemoryAdapters.layer), (context) =>
      context.pipe(
        Context.add(DocumentRepository, stoppable("DocumentRepository", Context.get(context, DocumentRepository))),
        Context.add(DocumentStorage, stoppable("DocumentStorage", Context.get(context, DocumentStorage)))
      )
    )
  )

  const stop =
    (when: Stop["when"]) =>
    (method: string): Effect.Effect<Stopped> =>
      Effect.gen(function* () {
        const [come, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const stopped: Stop = {
          method,
          when,
          come: Deferred.succeed(come, undefined),
          reached: Deferred.await(come),
          release: Deferred.succeed(release, undefined),
          released: Deferred.await(release)
        }
        stops.push(stopped)
        return stopped
      })

  return {
    layer: SolarSitesServices.layer.pipe(Layer.provideMerge(adapters)),
    stopBefore: stop("before"),
    stopAfter: stop("after")
  }
}
