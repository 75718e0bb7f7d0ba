/**
 * Who is calling. The organisation of every read and every write comes from
 * here, never from a request.
 *
 * @since 0.1.0
 */
import { Context, Schema } from "effect"
import { text } from "../input/Text.ts"
import { Uuid } from "../input/Uuid.ts"
import { OrganisationId } from "../organisations/Organisation.ts"

/**
 * The id of a person, in whatever form the host gives it.
 *
 * @category models
 * @since 0.1.0
 */
export const UserId = text({ min: 1, max: 200 }).pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/**
 * @category models
 * @since 0.1.0
 */
export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/**
 * `apiKeyId` is null when the host has authenticated the caller by other means;
 * `userId` is the user behind the call, with a key its creator.
 *
 * @category models
 * @since 0.1.0
 */
export class Caller extends Schema.Class<Caller>("@solar-sites/core/Caller")({
  organisationId: OrganisationId,
  userId: Schema.NullOr(UserId),
  apiKeyId: Schema.NullOr(ApiKeyId)
}) {}

/**
 * The caller of the request at hand.
 *
 * @category services
 * @since 0.1.0
 */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("@solar-sites/core/CurrentCaller") {}
