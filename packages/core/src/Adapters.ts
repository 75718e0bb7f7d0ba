/** The adapters of an application: a layer, or options for applications without Effect. */
import { Context, Duration, Effect, Layer, type Scope } from "effect"
import { UploadPolicy, type UploadPolicySettings } from "./documents/UploadPolicy.ts"
import { EventRetention } from "./events/EventPurging.ts"
import {
  type HostOmRecordFunctions,
  type HostOrganisationFunctions,
  type HostUserFunctions,
  layerOmRecords,
  layerOrganisations,
  layerUsers
} from "./HostFunctions.ts"
import * as HostOrganisations from "./HostOrganisations.ts"
import { optionCheck } from "./input/OptionCheck.ts"
import {
  type DatabasePorts,
  databasePorts,
  type ProvidesAllPorts,
  type RequiredPorts,
  type SharedPorts,
  sharedPorts
} from "./Ports.ts"
import { DocumentStorage } from "./storage/DocumentStorage.ts"
import { WebhookSender } from "./webhooks/WebhookSender.ts"

/**
 * The result of the `layer(options)` of an adapter, or an object that has such a layer. An object
 * given by role is disposed with the `SolarSites`, after everything that uses it.
 */
export type Adapter<Ports> =
  | Layer.Layer<Ports, unknown>
  | { readonly layer: Layer.Layer<Ports, unknown>; readonly dispose?: () => Promise<void> }

/** Adapters by their role, and the host's own data. */
export interface Adapters {
  /** Such as `Postgres.layer({ url })`. */
  readonly database: Adapter<DatabasePorts>
  /** Such as `S3.layer({ bucket, region })`. */
  readonly storage: Adapter<DocumentStorage>
  /** `Redis.layer({ url })` where several instances run. Default: in process. */
  readonly redis?: Adapter<SharedPorts> | undefined
  /** Such as `Webhooks.layer()` of `@solar-sites/http-node/webhooks`. Default: no webhooks are sent. */
  readonly webhooks?: Adapter<WebhookSender> | undefined
  /** Organisations of the host. Default: those of the database. */
  readonly organisations?: HostOrganisationFunctions | undefined
  /** O&M records of the host. Default: any id is accepted. */
  readonly omRecords?: HostOmRecordFunctions | undefined
  /** Users of the host, who create API keys. Default: every user has all scopes. */
  readonly users?: HostUserFunctions | undefined
  /** Limits of uploads: sizes in bytes, and how long a pending document waits for its file. */
  readonly uploads?: UploadOptions | undefined
  /** How long events are kept. Default: 400 days. */
  readonly eventRetention?: Duration.Input | undefined
}

/** The adapter, or a sentence for the compiler to show in place of a comparison of all ports. */
type InRole<Given, Ports, Sentence extends string> = unknown extends Given
  ? Adapter<Ports>
  : Given extends Adapter<Ports>
    ? Given
    : Sentence

type DatabaseOf<Given> = InRole<Given, DatabasePorts, "must be an adapter such as Postgres.layer({ url })">
type StorageOf<Given> = InRole<Given, DocumentStorage, "must be an adapter such as S3.layer({ bucket, region })">

/** Adapters in any form: by role, a layer of them, or a `SolarSites` that runs on them. */
export type AnyAdapters<Provided, E, Database, Storage> =
  | (Omit<Adapters, "database" | "storage"> & {
      readonly database: DatabaseOf<Database>
      readonly storage: StorageOf<Storage>
    })
  | { readonly layer: Layer.Layer<RequiredPorts, unknown> }
  | (Layer.Layer<Provided, E> & ProvidesAllPorts<Provided>)

export interface UploadOptions extends Partial<Omit<UploadPolicySettings, "grace">> {
  readonly grace?: Duration.Input
}

const { duration, names, need } = optionCheck("Solar Sites")

const known: Readonly<Record<keyof Adapters, true>> = {
  database: true,
  storage: true,
  redis: true,
  webhooks: true,
  organisations: true,
  omRecords: true,
  users: true,
  uploads: true,
  eventRetention: true
}

const knownUploads: Readonly<Record<keyof UploadOptions, true>> = {
  maximumFileBytes: true,
  maximumCoverBytes: true,
  grace: true
}

const isAdapter = <Ports>(given: Adapters | Adapter<Ports>): given is Adapter<Ports> =>
  Layer.isLayer(given) || Layer.isLayer(Reflect.get(Object(given), "layer"))

const layerIn = <Ports>(adapter: Adapter<Ports>): Layer.Layer<Ports, unknown> =>
  "layer" in adapter ? adapter.layer : adapter

const checkAdapter = <Ports>(option: keyof Adapters, given: Adapter<Ports>, example: string): void =>
  need(isAdapter(given), option, `an adapter such as ${example}`, given)

const checkFunctions = (
  option: "organisations" | "omRecords" | "users",
  given: unknown,
  required: ReadonlyArray<string>
) => {
  if (given === undefined) return
  for (const name of required) {
    const member: unknown = Reflect.get(Object(given), name)
    need(typeof member === "function", `${option}.${name}`, "a function", member)
  }
}

const checkUploads = (given: UploadOptions | undefined): void => {
  if (given === undefined) return
  names(given, knownUploads)
  for (const name of ["maximumFileBytes", "maximumCoverBytes"] as const) {
    const bytes = given[name]
    need(bytes === undefined || (Number.isSafeInteger(bytes) && bytes > 0), `uploads.${name}`, "bytes above 0", bytes)
  }
  duration("uploads.grace", given.grace)
}

const check = (adapters: Adapters): void => {
  names(adapters, known)
  checkAdapter("database", adapters.database, "Postgres.layer({ url })")
  checkAdapter("storage", adapters.storage, "S3.layer({ bucket, region })")
  if (adapters.redis !== undefined) checkAdapter("redis", adapters.redis, "Redis.layer({ url })")
  if (adapters.webhooks !== undefined) checkAdapter("webhooks", adapters.webhooks, "Webhooks.layer()")
  checkFunctions("organisations", adapters.organisations, ["findById", "list"])
  checkFunctions("omRecords", adapters.omRecords, ["exists"])
  checkFunctions("users", adapters.users, ["scopesOf"])
  checkUploads(adapters.uploads)
  duration("eventRetention", adapters.eventRetention)
}

const disposed = <Ports>(adapter: Adapter<Ports>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.addFinalizer(() => Effect.promise(async () => "layer" in adapter && adapter.dispose?.()))

const build = <Ports>(adapter: Adapter<Ports>): Effect.Effect<Context.Context<Ports>, unknown, Scope.Scope> =>
  Effect.andThen(disposed(adapter), Layer.build(layerIn(adapter)))

// An adapter can provide ports of another role, as the memory of tests does. Its own role counts.
const databaseOnly = ({ database }: Adapters) =>
  Layer.effectContext(Effect.map(build(database), (ports) => Context.omit(DocumentStorage)(ports)))
const storageOnly = ({ storage }: Adapters) =>
  Layer.effectContext(Effect.map(build(storage), (ports) => Context.omit(...databasePorts, ...sharedPorts)(ports)))
const sharedOnly = (redis: NonNullable<Adapters["redis"]>) =>
  Layer.effectContext(Effect.map(build(redis), (ports) => Context.omit(...databasePorts, DocumentStorage)(ports)))
const senderOnly = (webhooks: NonNullable<Adapters["webhooks"]>) =>
  Layer.effectContext(Effect.map(build(webhooks), (ports) => Context.pick(WebhookSender)(ports)))

const compose = (adapters: Adapters): Layer.Layer<RequiredPorts, unknown> => {
  const { eventRetention, omRecords, organisations, redis, uploads, users, webhooks } = adapters
  const ports = Layer.merge(databaseOnly(adapters), storageOnly(adapters))
  const owned =
    organisations === undefined
      ? ports
      : Layer.provideMerge(HostOrganisations.layer(layerOrganisations(organisations)), ports)
  const { grace, ...sizes } = uploads ?? {}
  const life = grace === undefined ? {} : { grace: Duration.fromInputUnsafe(grace) }
  const policy = { ...UploadPolicy.defaultValue(), ...sizes, ...life }
  return Layer.mergeAll(
    owned,
    redis === undefined ? Layer.empty : sharedOnly(redis),
    webhooks === undefined ? Layer.empty : senderOnly(webhooks),
    omRecords === undefined ? Layer.empty : layerOmRecords(omRecords),
    users === undefined ? Layer.empty : layerUsers(users),
    uploads === undefined ? Layer.empty : Layer.succeed(UploadPolicy, policy),
    eventRetention === undefined ? Layer.empty : Layer.succeed(EventRetention, Duration.fromInputUnsafe(eventRetention))
  )
}

/**
 * The layer of adapters by role; a layer, and the layer of a `SolarSites`, as they are.
 * Throws a `TypeError` that names the first wrong option.
 */
export const layerOf = (given: Adapters | Adapter<RequiredPorts>): Layer.Layer<RequiredPorts, unknown> => {
  if (isAdapter(given)) return layerIn(given)
  check(given)
  return compose(given)
}
