/**
 * The methods of `ApiKeyStore` that rules decide, over any store of records.
 */
import { Effect, Option } from "effect"
import { eventOrigins } from "../events/EventOrigin.ts"
import { makeUnchecked } from "../persistence/MakeUnchecked.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { listRecords } from "../records/ListedRecords.ts"
import { Records } from "../records/Records.ts"
import { ApiKey } from "./ApiKey.ts"
import { apiKeyKind } from "./ApiKeyKind.ts"
import {
  apiKeyOf,
  assumedForCreation,
  createApiKey,
  deleteApiKey,
  findsOfCreation,
  findsOfKey,
  newApiKey,
  rotateApiKey
} from "./ApiKeyRules.ts"
import type { ApiKeyStore } from "./ApiKeyStore.ts"

/**
 * @category constructors
 * @since 0.1.0
 */
export const apiKeyRecords: Effect.Effect<
  Pick<ApiKeyStore["Service"], "insert" | "findById" | "list" | "delete" | "rotate">,
  never,
  Records
> = Effect.gen(function* () {
  const records = yield* Records
  const originOf = yield* eventOrigins
  const deciding = makeDeciding(records)

  return {
    insert: (organisationId, apiKey, digest) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const record = newApiKey(makeUnchecked(ApiKey, { ...apiKey, organisationId }), digest)
        const rule = createApiKey(record, origin)
        const command = { operation: "ApiKeyStore.insert", organisationId, finds: findsOfCreation(record), rule }
        return deciding.create(command, assumedForCreation(record))
      }),

    findById: (organisationId, apiKeyId) =>
      Effect.map(records.load("ApiKeyStore.findById", organisationId, findsOfKey(apiKeyId)), (found) =>
        Option.map(Option.fromNullOr(found.byId(apiKeyKind, apiKeyId)), ({ record }) => apiKeyOf(record))
      ),

    list: (organisationId, page) =>
      listRecords(records, "ApiKeyStore.list", organisationId, apiKeyKind, apiKeyOf, { page }),

    delete: (organisationId, apiKeyId) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        deciding.update(apiKeyKind, apiKeyId, {
          operation: "ApiKeyStore.delete",
          organisationId,
          finds: findsOfKey(apiKeyId),
          rule: deleteApiKey(apiKeyId, origin)
        })
      ),

    rotate: (organisationId, apiKeyId, rotation) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        deciding.update(apiKeyKind, apiKeyId, {
          operation: "ApiKeyStore.rotate",
          organisationId,
          finds: findsOfKey(apiKeyId),
          rule: rotateApiKey({ organisationId, apiKeyId, ...rotation }, origin)
        })
      )
  }
})
