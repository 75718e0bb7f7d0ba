/**
 * API keys of the user's organisation. A full key is only in the response that
 * creates it.
 */
import {
  type ApiKey,
  ApiKeyId,
  ApiKeys,
  CreateApiKey,
  CurrentCaller,
  type IssuedApiKey,
  type KeysNotManageable,
  Name,
  type TooManyApiKeys
} from "@solar-sites/core"
import { DurationText } from "@solar-sites/core/options"
import type { HostEndpoint, HostEndpointRequest, Refusal } from "@solar-sites/http-node"
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { maximumApiKeyDays } from "../accounts/AccountPolicy.ts"
import { apiKeyDocument } from "../commands/Output.ts"
import type { Access } from "./Access.ts"
import { body } from "./Body.ts"
import { apiKeyNotFound, roleInsufficient, tooManyApiKeys } from "./ConsoleProblems.ts"

const path = "/console/api-keys"

const expiresInDays = Schema.Int.check(
  Schema.isBetween(
    { minimum: 1, maximum: maximumApiKeyDays },
    { message: `must be a whole number from 1 to ${maximumApiKeyDays}`, faultCode: "out_of_range" }
  )
)
// As in the API, null in a POST means absent.
const readNew = body(
  Schema.Struct({
    name: Name,
    expiresInDays: Schema.optionalKey(Schema.NullOr(expiresInDays)),
    scopes: Schema.optionalKey(Schema.NullOr(CreateApiKey.fields.scopes.schema)),
    // Here null is no limit, which a user with a limit cannot give.
    portfolioIds: CreateApiKey.fields.portfolioIds
  })
)
const readRotation = body(Schema.Struct({ overlap: Schema.optionalKey(Schema.NullOr(DurationText)) }))

const document = (apiKey: ApiKey) => ({ ...apiKeyDocument(apiKey), createdBy: apiKey.createdBy })

const issued = ({ apiKey, secret }: IssuedApiKey) =>
  HttpServerResponse.jsonUnsafe({ ...document(apiKey), key: Redacted.value(secret) }, { status: 201 })

const parseId = Schema.decodeUnknownOption(ApiKeyId)

const idIn = ({ params }: HostEndpointRequest) =>
  Option.match(parseId(params["id"]), { onNone: () => Effect.fail(apiKeyNotFound), onSome: Effect.succeed })

const absent = { ApiKeyNotFound: () => Effect.fail(apiKeyNotFound) }

type Answer<E, R = never> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

export const apiKeyEndpoints = ({ admit }: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, ApiKeys> =>
  Effect.map(ApiKeys, (apiKeys) => {
    /** Serves as the caller of the session. */
    const forUser =
      (serve: (incoming: HostEndpointRequest) => Answer<Refusal | KeysNotManageable | TooManyApiKeys, CurrentCaller>) =>
      (incoming: HostEndpointRequest): Answer<Refusal> =>
        Effect.flatMap(admit(incoming), ({ caller }) => {
          incoming.identify(caller)
          if (caller.scopes !== undefined) return Effect.fail(roleInsufficient("admin"))
          return serve(incoming).pipe(
            // Fails only for callers with a key or with scopes.
            Effect.catchTag("KeysNotManageable", Effect.die),
            Effect.catchTag("TooManyApiKeys", () => Effect.fail(tooManyApiKeys)),
            Effect.provideService(CurrentCaller, caller)
          )
        })

    const list = Effect.map(apiKeys.list(), ({ data }) => HttpServerResponse.jsonUnsafe({ data: data.map(document) }))

    const create = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const { expiresInDays = null, name, scopes = null, ...limit } = yield* readNew(incoming)
      const life = expiresInDays === null ? {} : { expiresIn: Duration.days(expiresInDays) }
      return issued(yield* apiKeys.create({ name, ...life, ...(scopes === null ? {} : { scopes }), ...limit }))
    })

    const rotate = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const id = yield* idIn(incoming)
      const { overlap = null } = yield* readRotation(incoming)
      return issued(yield* Effect.catchTags(apiKeys.rotate(id, overlap === null ? {} : { overlap }), absent))
    })

    const remove = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      yield* Effect.catchTags(apiKeys.delete(yield* idIn(incoming)), absent)
      return HttpServerResponse.empty({ status: 204 })
    })

    return [
      { method: "GET", path, serve: forUser(() => list) },
      { method: "POST", path, serve: forUser(create) },
      { method: "POST", path: `${path}/:id/rotate`, serve: forUser(rotate) },
      { method: "DELETE", path: `${path}/:id`, serve: forUser(remove) }
    ]
  })
