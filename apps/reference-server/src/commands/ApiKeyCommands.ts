/**
 * `solar-sites api-keys`. The operator acts as a caller without a key in the
 * organisation of the key.
 */
import {
  type ApiKeyId,
  ApiKeyNotFound,
  ApiKeyStore,
  ApiKeys,
  Caller,
  CurrentCaller,
  type IssuedApiKey,
  type OrganisationId,
  Organisations,
  type UserId
} from "@solar-sites/core"
import { DurationText, PositiveDurationText } from "@solar-sites/core/options"
import { Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { apiKeyId, flag, json, name, organisation, portfolios, scopes, user } from "./Input.ts"
import { apiKeyDocument, printAll, printOne } from "./Output.ts"
import { withServices } from "./Services.ts"

const operatorOf = (organisationId: OrganisationId, userId: UserId | null = null) =>
  Effect.provideService(CurrentCaller, new Caller({ organisationId, userId, apiKeyId: null }))

const ownerOf = Effect.fnUntraced(function* (apiKeyId: ApiKeyId) {
  const owner = yield* ApiKeyStore.use((store) => store.findAcrossOrganisations({ apiKeyId }))
  if (Option.isNone(owner)) return yield* new ApiKeyNotFound({ apiKeyId })
  return owner.value.apiKey.organisationId
})

const printIssued = (json: boolean, heading: string, { apiKey, secret }: IssuedApiKey) => {
  const document = { ...apiKeyDocument(apiKey), key: Redacted.value(secret) }
  return printOne(json, `${heading} Keep it now: it is not shown again.`, document)
}

const create = Command.make(
  "create",
  {
    organisation,
    name,
    expiresIn: Flag.optional(
      flag("expires-in", "DURATION", "Lifetime of the key: 90d, 12h, 30m, 1s (default 365d)", PositiveDurationText)
    ),
    user: Flag.optional(user),
    scopes: Flag.optional(scopes),
    portfolios,
    json
  },
  Effect.fnUntraced(function* ({ expiresIn, json, name, organisation, portfolios, scopes, user }) {
    const life = Option.match(expiresIn, { onNone: () => ({}), onSome: (expiresIn) => ({ expiresIn }) })
    const limits = Option.match(scopes, { onNone: () => ({}), onSome: (scopes) => ({ scopes }) })
    const issued = yield* ApiKeys.use((apiKeys) =>
      apiKeys.create({ name, ...life, ...limits, portfolioIds: portfolios })
    ).pipe(operatorOf(organisation, Option.getOrNull(user)))
    yield* printIssued(json, "Key created.", issued)
  }, withServices)
).pipe(Command.withDescription("Create a key and print it; it is printed only once"))

const list = Command.make(
  "list",
  { organisation, json },
  Effect.fnUntraced(function* ({ json, organisation }) {
    yield* Organisations.use((organisations) => organisations.get(organisation))
    const { data } = yield* ApiKeys.use((apiKeys) => apiKeys.list()).pipe(operatorOf(organisation))
    yield* printAll(json, data.map(apiKeyDocument), "The organisation has no keys yet.")
  }, withServices)
).pipe(Command.withDescription("List the keys of an organisation, oldest first, including expired ones"))

const remove = Command.make(
  "delete",
  { apiKeyId, json },
  Effect.fnUntraced(function* ({ apiKeyId, json }) {
    const owner = yield* ownerOf(apiKeyId)
    const deleted = yield* ApiKeys.use((apiKeys) => apiKeys.delete(apiKeyId)).pipe(operatorOf(owner))
    yield* printOne(json, "Key deleted.", apiKeyDocument(deleted))
  }, withServices)
).pipe(Command.withDescription("Delete a key; it is refused from then on"))

const rotate = Command.make(
  "rotate",
  {
    apiKeyId,
    overlap: Flag.optional(
      flag("overlap", "DURATION", "How long the old key stays valid: 24h, 30m, 0s (default 24h)", DurationText)
    ),
    json
  },
  Effect.fnUntraced(function* ({ apiKeyId, json, overlap }) {
    const owner = yield* ownerOf(apiKeyId)
    // The operator has no user id: the new key keeps the creator of the old one.
    const { createdBy } = yield* ApiKeys.use((apiKeys) => apiKeys.get(apiKeyId)).pipe(operatorOf(owner))
    const options = Option.match(overlap, { onNone: () => ({}), onSome: (overlap) => ({ overlap }) })
    const issued = yield* ApiKeys.use((apiKeys) => apiKeys.rotate(apiKeyId, options)).pipe(operatorOf(owner, createdBy))
    yield* printIssued(json, "Key rotated.", issued)
  }, withServices)
).pipe(
  Command.withDescription("Replace a key by a new one of the same name, scopes and portfolios; it is printed only once")
)

export const apiKeys = Command.make("api-keys").pipe(
  Command.withDescription("Create, list, delete and rotate API keys"),
  Command.withSubcommands([create, list, remove, rotate])
)
