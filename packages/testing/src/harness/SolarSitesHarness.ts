/**
 * Solar Sites as a whole for the tests of applications: over memory, with a clock
 * that stands, and failures on demand. No port, no file, no service.
 *
 * @since 0.1.0
 */
import {
  Caller,
  DocumentMaintenance,
  IdGenerator,
  OrganisationId,
  SolarSites,
  type SolarSitesServices,
  UserId
} from "@solar-sites/core"
import { Context, type Duration, Effect, Exit, Layer, Scope } from "effect"
import type { StorageClient } from "../conformance/StorageClient.ts"
import { makeMemory } from "./HarnessMemory.ts"
import type { PortMethod } from "./PortFaults.ts"
import { answerStorage, isStorageRequest } from "./StorageRequests.ts"
import { type UploadBytes, type UploadUrl, upload } from "./Upload.ts"

/**
 * An organisation with a person in it. `apiKey` is for requests, as it is sent
 * in `x-api-key`; `caller` is that person, for the rules without HTTP.
 *
 * @category models
 * @since 0.1.0
 */
export interface HarnessOrganisation {
  readonly id: OrganisationId
  readonly apiKey: string
  readonly caller: Caller
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Harness extends AsyncDisposable {
  /** Makes an active organisation, and a key that lives for 365 days of the harness' clock. */
  readonly createOrganisation: (name: string) => Promise<HarnessOrganisation>

  /**
   * Takes what the platform's `fetch` takes, and answers as a server would,
   * whatever the host in the address; rate limits are off. The addresses that are
   * handed out for files lead to the storage in memory.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>

  /** The promise facade over the same memory. */
  readonly solarSites: SolarSites

  /**
   * Sends a file to an address that was issued here. Rejects with
   * `UploadRefused` as storage would refuse it; the document of a file that was
   * taken is `uploaded` when this resolves, as with the embedded storage.
   */
  readonly upload: (uploadUrl: UploadUrl, bytes: UploadBytes) => Promise<void>

  /**
   * Moves the clock on; what comes due in between has happened when this
   * resolves. Of more than an hour, only the first is lived through tick by
   * tick; the rest passes as on a machine that was suspended.
   */
  readonly advance: (duration: Duration.Input) => Promise<void>

  /** The next call of this method, whoever makes it, fails as if the connection were lost. Nothing is done by it. */
  readonly failNext: (method: PortMethod) => void

  /** All calls of this method fail until the work has ended; gives what that gives. */
  readonly failWhile: <A>(method: PortMethod, work: () => A | Promise<A>) => Promise<A>

  /** The same memory, with its clock: to be mounted elsewhere, such as by `toNodeListener`. */
  readonly layer: Layer.Layer<SolarSitesServices.SolarSitesPorts | StorageClient>

  /** Ends what is at work in the background. What was mounted elsewhere is its owner's to end. */
  readonly dispose: () => Promise<void>
}

/**
 * `seed` decides every id and key: two harnesses with one seed give the same for
 * the same calls.
 *
 * @category models
 * @since 0.1.0
 */
export interface HarnessOptions {
  readonly seed?: string | number
}

/** What a sweeper finds that has nothing to do. */
const nothingDue = DocumentMaintenance.of({
  findDue: () => Effect.succeed([]),
  claimPending: () => Effect.succeed([]),
  claimDeleted: () => Effect.succeed([]),
  forgetDeleted: () => Effect.void
})

/**
 * An empty memory that shares nothing with any other. Dispose it in the end.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = async ({ seed = "Solar Sites" }: HarnessOptions = {}): Promise<Harness> => {
  // Whoever runs the conformance suites alone never loads it.
  const { toWebHandler } = await import("@solar-sites/http-node")
  const scope = Scope.makeUnsafe()
  const { advance, context, faults } = await Effect.runPromise(Scope.provide(makeMemory(seed), scope))
  const run = Effect.runPromiseWith(context)
  const layer = Layer.succeedContext(context)
  const web = toWebHandler(layer, { rateLimitPerMinute: 0 })
  // One sweeper is enough, and more than one would make up for a failure that a test asks for.
  const solarSites = SolarSites.make(Layer.succeedContext(Context.add(context, DocumentMaintenance, nothingDue)))
  await web.ready

  const fetch: Harness["fetch"] = async (input, init) => {
    const isRequest = typeof input === "object" && "headers" in input && init === undefined
    const request = isRequest ? input : new Request(input, init)
    request.signal.throwIfAborted()
    return isStorageRequest(request) ? run(answerStorage(request, solarSites.objectArrived)) : web.handler(request)
  }

  const createOrganisation = async (name: string) => {
    const id = OrganisationId.make((await solarSites.organisations.create({ name })).id)
    const userId = UserId.make(await run(Effect.flatten(IdGenerator)))
    const caller = new Caller({ organisationId: id, userId, apiKeyId: null })
    const { secret } = await solarSites.as(caller).apiKeys.create({ name: "Harness" })
    return { id, apiKey: secret, caller }
  }

  const end = async () => {
    await Promise.all([web.dispose(), solarSites.dispose()])
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  let ended: Promise<void> | undefined
  const dispose = () => {
    ended ??= end()
    return ended
  }

  return {
    createOrganisation,
    fetch,
    solarSites,
    upload: (uploadUrl, bytes) => run(upload(uploadUrl, bytes, solarSites.objectArrived)),
    advance: (duration) => run(advance(duration)),
    ...faults,
    layer,
    dispose,
    [Symbol.asyncDispose]: dispose
  }
}
