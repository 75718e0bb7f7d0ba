/**
 * Ports whose calls a test can stop on their way: before they begin, or with
 * their answer in hand.
 */
import { DocumentRepository, DocumentStorage, Documents, Records, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Context, Deferred, Effect, Layer } from "effect"

/** One call that was stopped. */
export interface Stopped {
  /** Until the call has come. */
  readonly reached: Effect.Effect<void>
  readonly release: Effect.Effect<unknown>
}

const Process = Context.Reference<"first" | "second">("test/Process", { defaultValue: () => "first" })

/**
 * Runs an effect in a second process on the same adapters. Commands about one document wait for each other in one
 * process, so that a stopped one would hold up the others.
 */
export const elsewhere = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Process, "second")

/** Documents of two processes. */
const eitherOf = (first: Documents["Service"], second: Documents["Service"]): Documents["Service"] =>
  new Proxy(first, {
    get: (_, key) => {
      return (...args: ReadonlyArray<unknown>) =>
        Effect.flatMap(Process, (process) => Reflect.get(process === "first" ? first : second, key)(...args))
    }
  })

interface Stop extends Stopped {
  readonly method: string
  readonly when: "before" | "after"
  readonly come: Effect.Effect<unknown>
  readonly released: Effect.Effect<void>
}

/**
 * All services over memory, and what stops the next call of a method such as `DocumentStorage.inspect`. A command
 * such as `DocumentRepository.step` stops at its next access to the records.
 */
export const stoppableServices = () => {
  const stops: Array<Stop> = []

  const passing = <A, E, R>(name: string, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const index = stops.findIndex(({ method }) => method === name)
      const [stop] = index < 0 ? [] : stops.splice(index, 1)
      if (stop === undefined) return call
      const wait = Effect.andThen(stop.come, stop.released)
      return stop.when === "before" ? Effect.andThen(wait, call) : Effect.tap(call, wait)
    })

  const stoppable = <Service extends object>(name: string, intact: Service): Service =>
    new Proxy(intact, {
      get: (target, key, receiver) => {
        const method = Reflect.get(target, key, receiver)
        if (typeof method !== "function") return method
        return (...args: ReadonlyArray<unknown>) =>
          passing(
            `${name}.${String(key)}`,
            Effect.suspend(() => method.apply(target, args))
          )
      }
    })

  const adapters = Layer.effectContext(
    Effect.map(Layer.build(MemoryAdapters.layer), (context) => {
      const { commit, list, load } = Context.get(context, Records)
      return context.pipe(
        Context.add(Records, {
          load: (operation, ...rest) => passing(operation, load(operation, ...rest)),
          commit: (operation, ...rest) => passing(operation, commit(operation, ...rest)),
          list: (operation, ...rest) => passing(operation, list(operation, ...rest))
        }),
        Context.add(DocumentRepository, stoppable("DocumentRepository", Context.get(context, DocumentRepository))),
        Context.add(DocumentStorage, stoppable("DocumentStorage", Context.get(context, DocumentStorage)))
      )
    })
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

  const services = Layer.effectContext(
    Effect.gen(function* () {
      const first = yield* Layer.build(Layer.fresh(SolarSitesServices.layer))
      // Without a sweeper of its own.
      const second = yield* Layer.build(Layer.fresh(Documents.layer))
      return Context.add(first, Documents, eitherOf(Context.get(first, Documents), Context.get(second, Documents)))
    })
  )

  return {
    layer: services.pipe(Layer.provideMerge(adapters)),
    stopBefore: stop("before"),
    stopAfter: stop("after")
  }
}
