/**
 * The tables of the library's operations.
 */
import { Effect, flow, Option, Redacted, Schema, Stream } from "effect"
import { CreateApiKey, type IssuedApiKey, ListApiKeys } from "../api-keys/ApiKey.ts"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { type AccessRefused, requireAccess } from "../caller/AccessGuard.ts"
import { type Caller, CurrentCaller } from "../caller/Caller.ts"
import type { Operation } from "../caller/Operation.ts"
import { Documents } from "../documents/Documents.ts"
import { Events } from "../events/Events.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"
import { operations } from "../Operations.ts"
import { Organisations } from "../operators/Organisations.ts"
import { CreateOrganisation, UpdateOrganisation } from "../organisations/Organisation.ts"
import { Portfolios } from "../portfolios/Portfolios.ts"
import { Coverage } from "../requirements/Coverage.ts"
import { Requirements } from "../requirements/Requirements.ts"
import type { SolarSitesServices } from "../SolarSitesServices.ts"
import { Sites } from "../sites/Sites.ts"
import type { IssuedWebhook } from "../webhooks/Webhook.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { apiKeyId, durationText, input, organisationId, query, rotation } from "./Input.ts"
import { bind, type Calls, read, rowsOf, type Table, write } from "./OperationTable.ts"
import type { OrganisationOperations, SolarSitesForCaller } from "./SolarSitesForCaller.ts"

// The only places where a secret becomes plain text.
const revealed = <E, R>(issued: Effect.Effect<IssuedApiKey, E, R>) =>
  Effect.map(issued, ({ apiKey, secret }) => ({ apiKey, secret: Redacted.value(secret) }))

const revealedWebhook = <E, R>(issued: Effect.Effect<IssuedWebhook, E, R>) =>
  Effect.map(issued, ({ secret, webhook }) => ({ ...webhook, secret: Redacted.value(secret) }))

const plainApiKeys = Effect.map(ApiKeys, ({ accessInUse, create, inUse, portfoliosInUse, rotate, ...others }) => ({
  ...others,
  create: flow(create, revealed),
  rotate: flow(rotate, revealed),
  inUse: () => Effect.map(inUse, Option.getOrNull),
  accessInUse: () => Effect.map(accessInUse, Option.getOrNull),
  portfoliosInUse: () => portfoliosInUse
}))

const createApiKey = input(
  Schema.Struct({ ...CreateApiKey.fields, expiresIn: durationText(CreateApiKey.fields.expiresIn.schema) })
)

const apiKeys = {
  create: write(plainApiKeys, ({ create }) => create, [createApiKey]),
  get: read(plainApiKeys, ({ get }) => get, [apiKeyId]),
  list: read(plainApiKeys, ({ list }) => list, [query(ListApiKeys)]),
  delete: write(plainApiKeys, (apiKeys) => apiKeys.delete, [apiKeyId]),
  rotate: write(plainApiKeys, ({ rotate }) => rotate, [apiKeyId, rotation]),
  inUse: read(plainApiKeys, ({ inUse }) => inUse, []),
  accessInUse: read(plainApiKeys, ({ accessInUse }) => accessInUse, []),
  portfoliosInUse: read(plainApiKeys, ({ portfoliosInUse }) => portfoliosInUse, [])
}

const plainWebhooks = Effect.map(Webhooks, ({ create, rotateSecret, ...others }) => ({
  ...others,
  create: flow(create, revealedWebhook),
  rotateSecret: flow(rotateSecret, revealedWebhook)
}))

const rows = {
  sites: rowsOf(Sites, operations.sites),
  portfolios: rowsOf(Portfolios, operations.portfolios),
  documents: rowsOf(Documents, operations.documents),
  requirements: rowsOf(Requirements, operations.requirements),
  coverage: rowsOf(Coverage, operations.coverage),
  events: rowsOf(Events, operations.events),
  webhooks: rowsOf(plainWebhooks, operations.webhooks)
}

const organisations = {
  create: write(Organisations, ({ create }) => create, [input(CreateOrganisation)]),
  get: read(Organisations, ({ get }) => get, [organisationId]),
  list: read(Organisations, ({ list }) => list, [query(Schema.Struct(paging("organisations", maximumPageSize)))]),
  update: write(Organisations, ({ update }) => update, [organisationId, input(UpdateOrganisation)]),
  delete: write(Organisations, (organisations) => organisations.delete, [organisationId])
}

const actingAs = (
  calls: Calls<SolarSitesServices>,
  caller: Effect.Effect<Caller, ValidationFailed | AccessRefused>
): Calls<SolarSitesServices | CurrentCaller> => ({
  read: (effect, options) => calls.read(Effect.provideServiceEffect(effect, CurrentCaller, caller), options),
  write: (effect, options) => calls.write(Effect.provideServiceEffect(effect, CurrentCaller, caller), options),
  stream: (stream, options) => {
    const provided = Effect.map(caller, (known) => Stream.provideService(stream, CurrentCaller, known))
    return calls.stream(Stream.unwrap(provided), options)
  }
})

/**
 * The operations of a caller. An invalid caller is a fault of every call. As over HTTP, missing
 * access comes before the faults of the input.
 */
export const callerOperations = (
  calls: Calls<SolarSitesServices>,
  caller: Effect.Effect<Caller, ValidationFailed>
): SolarSitesForCaller => {
  const asCaller = <const Rows extends Table<SolarSitesServices | CurrentCaller>>(
    rows: Rows,
    table: { readonly [Name in keyof Rows]: Operation }
  ) =>
    bind(rows, (name) =>
      actingAs(
        calls,
        Effect.tap(caller, (known) => requireAccess(known, table[name]))
      )
    )
  return {
    sites: asCaller(rows.sites, operations.sites),
    portfolios: asCaller(rows.portfolios, operations.portfolios),
    documents: asCaller(rows.documents, operations.documents),
    requirements: asCaller(rows.requirements, operations.requirements),
    coverage: asCaller(rows.coverage, operations.coverage),
    events: asCaller(rows.events, operations.events),
    apiKeys: bind(apiKeys, () => actingAs(calls, caller)),
    webhooks: asCaller(rows.webhooks, operations.webhooks)
  }
}

export const organisationOperations = (calls: Calls<SolarSitesServices>): OrganisationOperations =>
  bind(organisations, () => calls)
