/**
 * The caller of a request. The organisation of every read and write comes from the caller, never
 * from the request.
 */
import { Context, Schema } from "effect"
import { text } from "../input/Text.ts"
import { Uuid } from "../input/Uuid.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { ApiScope } from "./ApiScope.ts"
import { PortfolioId } from "./PortfolioId.ts"

/** Id of a user in the format of the host. */
export const UserId = text({ min: 1, max: 200 }).pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/**
 * `apiKeyId` is null when the host authenticated the caller by other means. `userId` is the user of
 * the call; with an API key, the creator of the key. `keyPrefix` is the shown prefix of the key.
 * Without `scopes` the caller has all. With `portfolioIds` it reaches these portfolios and their sites alone, and
 * nothing when the list is empty.
 */
export class Caller extends Schema.Class<Caller>("@solar-sites/core/Caller")({
  organisationId: OrganisationId,
  userId: Schema.NullOr(UserId),
  apiKeyId: Schema.NullOr(ApiKeyId),
  keyPrefix: Schema.optionalKey(Schema.NullOr(Schema.String)),
  scopes: Schema.optionalKey(Schema.Array(ApiScope)),
  portfolioIds: Schema.optionalKey(Schema.Array(PortfolioId))
}) {}

/** Caller of the current request. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("@solar-sites/core/CurrentCaller") {}
