/** API keys of the user's organisation. A full key is only in the response that creates it. */
import { ApiKey, CreateApiKey, Name } from "@solar-sites/core"
import { DurationText } from "@solar-sites/core/options"
import { MaximumBody } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { maximumApiKeyDays } from "../../accounts/AccountPolicy.ts"
import { all, bodyBytes, LeastRole } from "./Parts.ts"

const path = "/console/api-keys"

const expiresInDays = Schema.Int.check(
  Schema.isBetween(
    { minimum: 1, maximum: maximumApiKeyDays },
    { message: `must be a whole number from 1 to ${maximumApiKeyDays}`, faultCode: "out_of_range" }
  )
)

/** `createdBy` is null for keys of the operator. */
const { organisationId, ...shown } = ApiKey.fields
const ShownApiKey = Schema.Struct(shown)

const IssuedApiKey = Schema.Struct({ ...shown, key: Schema.String })

// As in the API, null in a POST means absent.
const NewApiKey = Schema.Struct({
  name: Name,
  expiresInDays: Schema.optionalKey(Schema.NullOr(expiresInDays)),
  scopes: Schema.optionalKey(Schema.NullOr(CreateApiKey.fields.scopes.schema)),
  // Here null is no limit, which a user with a limit cannot give.
  portfolioIds: CreateApiKey.fields.portfolioIds
})

/** How long the old key works beside the new one, such as `24h`. */
const Rotation = Schema.Struct({ overlap: Schema.optionalKey(Schema.NullOr(DurationText)) })

const params = { id: Schema.String }

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", path, { success: all(ShownApiKey) }),
    HttpApiEndpoint.post("create", path, { payload: NewApiKey, success: IssuedApiKey }),
    HttpApiEndpoint.post("rotate", `${path}/:id/rotate`, { params, payload: Rotation, success: IssuedApiKey }),
    HttpApiEndpoint.delete("delete", `${path}/:id`, { params })
  )
  .annotateEndpoints(LeastRole, "admin")
  .annotateEndpoints(MaximumBody, bodyBytes) {}
