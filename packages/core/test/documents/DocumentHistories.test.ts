import { describe, expect, it } from "@effect/vitest"
import {
  type CurrentCaller,
  DocumentAudit,
  type DocumentId,
  DocumentRepository,
  DocumentStorage,
  DocumentSweeper,
  type IssuedUpload,
  SolarSitesServices,
  withIdsOf
} from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Context, Effect, Fiber, Layer, Random } from "effect"
import { TestClock } from "effect/testing"
import { anyDocumentId, bytes, scene } from "./scene.ts"

const seeds = Array.from({ length: 25 }, (_, index) => `history ${index}`)

/** Lets other calls go on before and after each call of the ports. */
const yielding = <Service extends object>(intact: Service): Service =>
  new Proxy(intact, {
    get: (target, key, receiver) => {
      const method = Reflect.get(target, key, receiver)
      if (typeof method !== "function") return method
      const pause = Effect.flatMap(Random.nextIntBetween(0, 6), (times) =>
        Effect.forEach(Array.from({ length: times }), () => Effect.yieldNow, { discard: true })
      )
      return (...args: ReadonlyArray<unknown>) =>
        pause.pipe(
          Effect.andThen(Effect.suspend(() => method.apply(target, args))),
          Effect.tap(() => pause)
        )
    }
  })

const adapters = Layer.effectContext(
  Effect.map(Layer.build(MemoryAdapters.layer), (context) =>
    context.pipe(
      Context.add(DocumentRepository, yielding(Context.get(context, DocumentRepository))),
      Context.add(DocumentStorage, yielding(Context.get(context, DocumentStorage)))
    )
  )
)

const history = Effect.gen(function* () {
  const { asPerson, documents, issueOne, person, send } = yield* scene
  const { sweep } = yield* DocumentSweeper
  const upload = yield* withIdsOf(anyDocumentId)(issueOne())
  const id: DocumentId = upload.documentId
  const addresses: Array<IssuedUpload> = [upload]
  const commands = [
    Effect.tap(withIdsOf(anyDocumentId)(issueOne()), (again) => Effect.sync(() => addresses.push(again))),
    Effect.tap(documents.reissueUpload(id), (again) => Effect.sync(() => addresses.push(again))),
    Effect.suspend(() =>
      Effect.flatMap(Random.nextIntBetween(1, 9), (size) => send(addresses.at(-1) ?? upload, bytes(size)))
    ),
    Effect.suspend(() => send(addresses[0] ?? upload, bytes(3))),
    documents.changeStatus(id, { status: "uploaded" }),
    documents.changeStatus(id, { status: "failed", reason: "unreadable" }),
    documents.objectArrived(upload.uploadUrl.path.split("/").slice(-3).join("/")),
    documents.delete(id),
    sweep
  ].map((command: Effect.Effect<unknown, unknown, CurrentCaller | DocumentStorage>) => Effect.ignore(asPerson(command)))
  for (let round = 0; round < 12; round++) {
    const fibers = yield* Effect.forEach(Array.from({ length: 5 }), () =>
      Effect.flatMap(Random.nextIntBetween(0, commands.length), (index) =>
        Effect.forkChild(commands[index] ?? Effect.void)
      )
    )
    // One of them ends on its way, as a process does that is killed.
    if (yield* Random.nextBoolean) {
      for (let step = 0; step < 8; step++) yield* Effect.yieldNow
      if (fibers[0]) yield* Fiber.interrupt(fibers[0])
    }
    yield* TestClock.adjust(`${yield* Random.nextIntBetween(3, 60)} seconds`)
    // What waits for the claim of another call needs the clock to go on.
    const ended = Effect.forEach(fibers, (fiber) => Fiber.await(fiber), { discard: true })
    yield* Effect.raceFirst(ended, Effect.forever(TestClock.adjust("1 second")))
  }
  yield* TestClock.adjust("2 hours")
  return yield* (yield* DocumentAudit).findOrphans(person.organisationId)
})

describe("documents and their files, in random histories with crashes", () => {
  it.effect.each(seeds)("agree in the end: %s", (seed) =>
    Effect.gen(function* () {
      expect(yield* history).toEqual({ filesWithoutDocument: [], documentsWithoutFile: [] })
    }).pipe(Random.withSeed(seed), Effect.provide(SolarSitesServices.layer.pipe(Layer.provideMerge(adapters))))
  )
})
