/**
 * Solar Sites in memory for the tests of applications, with a controlled clock and fault injection.
 * No network port, no file, no service.
 */
import {
  type ApiScope,
  Caller,
  IdGenerator,
  OrganisationId,
  type PlainEvent,
  SolarSites,
  type SolarSitesServices,
  UserId,
  type WebhookSender
} from "@solar-sites/core"
import { Context, type Duration, Effect, Exit, Layer, Scope } from "effect"
import { StorageClient } from "../conformance/StorageClient.ts"
import { withoutBackgroundWork } from "./BackgroundWork.ts"
import { makeMemory } from "./HarnessMemory.ts"
import type { HarnessWebhooks } from "./HarnessWebhooks.ts"
import type { PortMethod } from "./PortFaults.ts"
import { type UploadBytes, type UploadUrl, upload } from "./Upload.ts"

/**
 * An organisation with a user. `apiKey` is the value of `x-api-key` in requests; `caller` is the
 * user, for rule services without HTTP.
 */
export interface HarnessOrganisation {
  readonly id: OrganisationId
  readonly apiKey: string
  readonly caller: Caller
}

export interface Harness extends AsyncDisposable {
  /**
   * Creates an active organisation with a key that lives for 365 days of the clock of the harness.
   * Key and caller have the scopes, by default all.
   */
  readonly createOrganisation: (
    name: string,
    options?: { readonly scopes?: ReadonlyArray<ApiScope> }
  ) => Promise<HarnessOrganisation>

  /**
   * Like the `fetch` of the platform, answered by the HTTP binding for any host. Rate limits are
   * off. Signed addresses lead to the storage in memory.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>

  /** The promise facade on the same memory. */
  readonly solarSites: SolarSites

  /**
   * Uploads a file to an address issued here. Rejects with `UploadRefused` when the storage refuses
   * it. When it resolves, the document is `uploaded`, as with the embedded storage.
   */
  readonly upload: (uploadUrl: UploadUrl, bytes: UploadBytes) => Promise<void>

  /**
   * Advances the clock; timers due in between have run when it resolves. Beyond the first hour the
   * clock jumps, like a suspended machine.
   */
  readonly advance: (duration: Duration.Input) => Promise<void>

  /** What was sent to webhooks, and the answers of their receivers. */
  readonly webhooks: HarnessWebhooks

  /**
   * All events of the organisation, oldest first, as in the feed. The first one is about the key
   * that was created with it.
   */
  readonly events: (organisation: Pick<HarnessOrganisation, "caller">) => Promise<ReadonlyArray<PlainEvent>>

  /** The next call of this method fails like a lost connection, without any effect. */
  readonly failNext: (method: PortMethod) => void

  /** All calls of this method fail until `work` ends. Returns the result of `work`. */
  readonly failWhile: <A>(method: PortMethod, work: () => A | Promise<A>) => Promise<A>

  /** The same memory and clock as a layer, for `toNodeListener` and other bindings. */
  readonly layer: Layer.Layer<SolarSitesServices.SolarSitesPorts | StorageClient | WebhookSender>

  /** Ends all background work. Bindings created from `layer` are closed by their owner. */
  readonly dispose: () => Promise<void>
}

/**
 * `seed` determines every id and key: two harnesses with the same seed give equal results for equal
 * calls.
 */
export interface HarnessOptions {
  readonly seed?: string | number
}

/** Creates a harness with an empty memory of its own. Dispose it at the end. */
export const make = async ({ seed = "Solar Sites" }: HarnessOptions = {}): Promise<Harness> => {
  // Loaded on demand: users of the conformance suites alone need no HTTP binding.
  const { toWebHandler } = await import("@solar-sites/http-node")
  const { isStorageRequest, storageOf, toServedPath } = await import("./StorageRequests.ts")
  const scope = Scope.makeUnsafe()
  const { advance, context, faults, webhooks } = await Effect.runPromise(Scope.provide(makeMemory(seed), scope))
  const run = Effect.runPromiseWith(context)
  const layer = Layer.succeedContext(context)
  // One instance runs the background work: a second one would repair a failure requested by the test.
  const solarSites = SolarSites.make(Layer.succeedContext(withoutBackgroundWork(context)))
  const storage = storageOf(Context.get(context, StorageClient), solarSites.objectArrived)
  const web = toWebHandler(layer, { rateLimitPerMinute: 0, storage })
  await web.ready

  const fetch: Harness["fetch"] = async (input, init) => {
    const isRequest = typeof input === "object" && "headers" in input && init === undefined
    const request = isRequest ? input : new Request(input, init)
    request.signal.throwIfAborted()
    return web.handler(isStorageRequest(request) ? toServedPath(request) : request)
  }

  const createOrganisation: Harness["createOrganisation"] = async (name, { scopes } = {}) => {
    const id = OrganisationId.make((await solarSites.organisations.create({ name })).id)
    const userId = UserId.make(await run(Effect.flatten(IdGenerator)))
    const caller = new Caller({ organisationId: id, userId, apiKeyId: null })
    const limits = scopes === undefined ? {} : { scopes }
    const { secret } = await solarSites.as(caller).apiKeys.create({ name: "Harness", ...limits })
    return { id, apiKey: secret, caller: new Caller({ ...caller, ...limits }) }
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
    events: async ({ caller }) => (await solarSites.as(caller).events.list()).data,
    webhooks,
    ...faults,
    layer,
    dispose,
    [Symbol.asyncDispose]: dispose
  }
}
