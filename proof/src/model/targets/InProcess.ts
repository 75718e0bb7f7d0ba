/**
 * The HTTP binding in this process: the harness of `@solar-sites/testing`, with a clock that moves, or
 * the ports of a test, such as a database or broken ones.
 */

import { DocumentSweeper, SolarSites, type SolarSitesServices, type WebhookSender } from "@solar-sites/core"
import { type HttpOptions, toWebHandler } from "@solar-sites/http-node"
import { SolarSitesHarness, StorageClient } from "@solar-sites/testing"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { withoutBackgroundWork } from "../../../../packages/testing/src/harness/BackgroundWork.ts"
import { makeMemory } from "../../../../packages/testing/src/harness/HarnessMemory.ts"
import { isStorageRequest, storageOf, toServedPath } from "../../../../packages/testing/src/harness/StorageRequests.ts"
import type { Target } from "./Target.ts"

export const memory = async (): Promise<Target> => {
  const harness = await SolarSitesHarness.make()
  let now = Date.parse("2026-06-01T09:00:00.000Z")
  return {
    ...{ servers: 1, revocationMillis: () => 0 },
    solarSites: harness.solarSites,
    fetch: (toRequest) => harness.fetch(toRequest("http://solar.test")),
    file: (url, init) => harness.fetch(url, init),
    now: () => now,
    advance: async (millis) => {
      await harness.advance(millis)
      now += millis
    },
    deliveries: () => harness.webhooks.deliveries,
    restart: async () => {},
    close: harness.dispose
  }
}

export type Ports = Context.Context<SolarSitesServices.SolarSitesPorts | StorageClient | WebhookSender>

/** What a target needs for users: options of the HTTP binding, the operator, a mail server and a provider. */
export type OpenConsole = (
  ports: Ports,
  scope: Scope.Scope
) => Promise<{ readonly options: HttpOptions } & Pick<Target, "createUser" | "setLoginDomains" | "grant" | "mails">>

// A mail waits so long in the service, which ends only without waiting ones.
const mailDelay = 200

const endpointsOf = ({ endpoints = [] }: HttpOptions) => endpoints.map(({ method, path }) => `${method} ${path}`)

/** `change` replaces ports of the memory. The clock of the memory stays. `seed` determines all ids. */
export const inProcess = async (
  change: (memory: Ports) => Ports,
  seed = "model",
  openConsole?: OpenConsole
): Promise<Target> => {
  const scope = Scope.makeUnsafe()
  const { advance, context: inMemory } = await Effect.runPromise(Scope.provide(makeMemory(seed), scope))
  const ports = change(inMemory)
  // The target sweeps itself, and waits for the end.
  const idle = withoutBackgroundWork(ports)
  const solarSites = SolarSites.make(Layer.succeedContext(idle))
  const storage = storageOf(Context.get(ports, StorageClient), solarSites.objectArrived)
  const { options, ...console } = (await openConsole?.(idle, scope)) ?? {}
  const start = () => toWebHandler(Layer.succeedContext(idle), { ...options, rateLimitPerMinute: 0, storage })
  let web = start()

  const sweep = DocumentSweeper.use((sweeper) => sweeper.sweep).pipe(
    Effect.repeat({ while: ({ more }) => more }),
    Effect.provide(DocumentSweeper.layer),
    Effect.provideContext(ports)
  )
  const handle = (request: Request) => web.handler(isStorageRequest(request) ? toServedPath(request) : request)
  let now = Date.parse("2026-06-01T09:00:00.000Z")
  return {
    ...{ servers: 1, revocationMillis: () => 0 },
    solarSites,
    ...console,
    ...(options === undefined ? {} : { endpoints: endpointsOf(options) }),
    fetch: (toRequest) => handle(toRequest("http://solar.test")),
    file: (url, init) => handle(new Request(url, init)),
    now: () => now,
    advance: async (millis) => {
      await Effect.runPromiseWith(inMemory)(advance(millis))
      now += millis
      await Effect.runPromise(sweep)
    },
    restart: async () => {
      await web.dispose()
      web = start()
    },
    close: async () => {
      await Effect.runPromiseWith(inMemory)(advance(mailDelay))
      await web.dispose()
      await solarSites.dispose()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}
