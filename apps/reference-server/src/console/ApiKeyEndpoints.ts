/** Serves the API keys of the user's organisation. */
import { type ApiKey, ApiKeyId, ApiKeys, type IssuedApiKey } from "@solar-sites/core"
import { type HostEndpoint, hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import type { Access } from "./Access.ts"
import { problems } from "./ConsoleProblems.ts"
import { ApiKeysApi } from "./contract/ApiKeysApi.ts"
import { withSession } from "./WithSession.ts"

const shown = ({ organisationId, ...apiKey }: ApiKey) => apiKey

const issued = ({ apiKey, secret }: IssuedApiKey) =>
  reply({ ...shown(apiKey), key: Redacted.value(secret) }, { status: 201 })

const parseId = Schema.decodeUnknownOption(ApiKeyId)

const idIn = ({ id }: { readonly id: string }) =>
  Option.match(parseId(id), { onNone: () => Effect.fail(problems.api_key_not_found), onSome: Effect.succeed })

const refusals = {
  // Fails only for callers with a key or with scopes, who are refused before.
  KeysNotManageable: Effect.die,
  TooManyApiKeys: () => Effect.fail(problems.too_many_keys)
}
const absent = { ApiKeyNotFound: () => Effect.fail(problems.api_key_not_found) }

export const apiKeyEndpoints = (access: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, ApiKeys> =>
  Effect.map(ApiKeys, (apiKeys) =>
    hostGroup(ApiKeysApi, withSession(access), {
      list: () =>
        apiKeys.list().pipe(
          Effect.catchTag("KeysNotManageable", Effect.die),
          Effect.map(({ data }) => reply({ data: data.map(shown) }))
        ),
      create: ({ payload: { expiresInDays = null, name, scopes = null, ...limit } }) => {
        const life = expiresInDays === null ? {} : { expiresIn: Duration.days(expiresInDays) }
        const creating = apiKeys.create({ name, ...life, ...(scopes === null ? {} : { scopes }), ...limit })
        return Effect.map(Effect.catchTags(creating, refusals), issued)
      },
      rotate: ({ params, payload: { overlap = null } }) =>
        Effect.flatMap(idIn(params), (id) => apiKeys.rotate(id, overlap === null ? {} : { overlap })).pipe(
          Effect.catchTags({ ...refusals, ...absent }),
          Effect.map(issued)
        ),
      delete: ({ params }) =>
        Effect.flatMap(idIn(params), (id) => apiKeys.delete(id)).pipe(
          Effect.catchTags({ KeysNotManageable: Effect.die, ...absent }),
          Effect.as(replyNothing)
        )
    })
  )
