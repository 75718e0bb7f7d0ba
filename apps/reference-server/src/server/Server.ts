/** Composes the server: adapters, HTTP application, listener. They close in reverse order. */
import type { IncomingMessage } from "node:http"
import { BlockList, isIPv6 } from "node:net"
import { StorageServer } from "@solar-sites/adapter-filesystem"
import { EventRetention, RequestOrigin, UploadPolicy } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import * as Webhooks from "@solar-sites/http-node/webhooks"
import { Console, Context, Deferred, Effect, Layer, Option, type Scope } from "effect"
import * as Administration from "../Administration.ts"
import * as KeyOwners from "../accounts/people/KeyOwners.ts"
import { userAdministration } from "../accounts/people/Users.ts"
import type { Settings } from "../configuration/Settings.ts"
import { consoleOptions, hasConsole } from "../console/ConsoleOptions.ts"
import * as Coordination from "../coordination/Coordination.ts"
import * as Database from "../database/Database.ts"
import type { Failure } from "../Failure.ts"
import * as Logs from "../Logs.ts"
import { toFailure } from "../Refusals.ts"
import * as Storage from "../storage/Storage.ts"
import { storageEventsOf } from "../storage/StorageEvents.ts"
import * as Telemetry from "../Telemetry.ts"
import { isLoopback } from "./Connections.ts"
import { createIfEmpty, invitation } from "./DemoData.ts"
import { listen } from "./HttpListener.ts"
import * as Readiness from "./Readiness.ts"

const demoData = (withUser: boolean) =>
  Effect.flatMap(userAdministration, ({ create }) => createIfEmpty(withUser ? create : null)).pipe(
    Effect.mapError(toFailure),
    Effect.provide(Administration.layer)
  )

const adaptersOf = (settings: Settings, migrations: Database.Migrations, publicUrl: Effect.Effect<string>) =>
  Readiness.layer.pipe(
    Layer.provideMerge(KeyOwners.layer),
    Layer.provideMerge(Layer.merge(Database.layer(settings, migrations), Storage.layer(settings, publicUrl))),
    Layer.provideMerge(Coordination.layer(settings)),
    Layer.provideMerge(Layer.succeed(UploadPolicy, settings.uploads)),
    Layer.provideMerge(Layer.succeed(EventRetention, settings.eventRetention)),
    Layer.provideMerge(Webhooks.layer(settings.webhooks))
  )

/** True of an upload to the folder storage; its body may take longer than any other. */
const isUpload = ({ method, url = "" }: IncomingMessage): boolean => method === "PUT" && url.startsWith("/storage/")

/** True of an address in one of the networks. The settings have validated them. */
const inNetworks = (networks: ReadonlyArray<string>): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", prefix] = network.split("/")
    const family = isIPv6(address) ? "ipv6" : "ipv4"
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4")
}

/** Path of `PUBLIC_URL`, which a proxy strips; undefined without one. */
const publicPathOf = Option.match({
  onNone: () => undefined,
  onSome: (publicUrl: string): `/${string}` | undefined => {
    const path = new URL(publicUrl).pathname.slice(1).replace(/\/$/, "")
    return path === "" ? undefined : `/${path}`
  }
})

/** The address to open on this machine: a wildcard address is replaced by loopback. */
const openAddress = (listening: string): string =>
  listening.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

const start = Effect.fnUntraced(function* (
  settings: Settings,
  migrations: Database.Migrations
): Effect.fn.Return<void, Failure, Scope.Scope> {
  // Upload addresses need the port, which is known once the server listens.
  const listening = yield* Deferred.make<string>()
  const publicUrl = Option.match(settings.publicUrl, {
    // Without PUBLIC_URL addresses use the origin of the request.
    onNone: () =>
      Effect.flatMap(RequestOrigin, (origin) =>
        origin === undefined ? Deferred.await(listening) : Effect.succeed(origin)
      ),
    onSome: Effect.succeed
  })
  const ports = yield* Layer.build(adaptersOf(settings, migrations, publicUrl))
  const onRequest = yield* Logs.accessLog
  let isShuttingDown = false
  const { metricsToken, ...access } = settings.access
  const publicPath = publicPathOf(settings.publicUrl)
  const consoleParts = yield* Effect.provide(consoleOptions(settings, Deferred.await(listening)), ports)
  const adapters = Layer.mergeAll(Layer.succeedContext(ports), Logs.layer, Telemetry.layer(settings))
  const { close, ready, ...api } = toNodeListener(adapters, {
    ...access,
    ...consoleParts,
    metricsToken: Option.getOrUndefined(metricsToken),
    storage: Option.getOrUndefined(Context.getOption(ports, StorageServer))?.app,
    storageEvents: yield* storageEventsOf(settings),
    publicPath,
    requestOrigin: Option.isNone(settings.publicUrl) && Option.isNone(settings.s3.bucket),
    home: hasConsole(settings) ? undefined : `${publicPath ?? ""}/docs`,
    onRequest,
    isShuttingDown: () => isShuttingDown
  })
  yield* Effect.addFinalizer(() => Effect.promise(close))
  yield* Effect.promise(() => ready)

  const { host, port } = settings
  const isProxy = inNetworks(access.trustedProxies)
  const connections = { isShared: (address: string) => isLoopback(address) || isProxy(address) }
  const address = yield* listen({ host, port, ...api, hasOwnBodyTimeout: isUpload, connections })
  const base = Option.getOrElse(settings.publicUrl, () => openAddress(address))
  yield* Deferred.succeed(listening, base)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isShuttingDown = true
    })
  )

  const demo = Option.isNone(settings.database.url)
    ? yield* Effect.provide(demoData(hasConsole(settings)), ports)
    : Option.none()
  yield* Console.log(`Solar Sites listens on ${address}`)
  if (hasConsole(settings)) yield* Console.log(`Console: ${base}`)
  yield* Console.log(`API reference: ${base}/docs`)
  if (Option.isSome(demo)) yield* Console.log(invitation(base, demo.value))
})

/**
 * Serves until interrupted. On shutdown readiness fails first, requests in flight
 * finish, and last uses of keys are written before the database closes.
 */
export const server = (settings: Settings, migrations: Database.Migrations): Effect.Effect<never, Failure> =>
  Effect.scoped(Effect.andThen(start(settings, migrations), Effect.never))
