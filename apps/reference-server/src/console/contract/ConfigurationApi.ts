/** Settings that the console needs, some before a login. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

const text = Schema.NullOr(Schema.String)
const number = Schema.Finite

const Configuration = Schema.Struct({
  map: Schema.Struct({ tileUrl: text, attribution: text }),
  uploads: Schema.Struct({ maximumFileBytes: number, maximumCoverBytes: number }),
  login: Schema.Struct({ password: Schema.Boolean, oidc: Schema.NullOr(Schema.Struct({ name: text })) }),
  /** Null without a limit. */
  api: Schema.Struct({ requestsPerMinute: Schema.NullOr(number) }),
  accounts: Schema.Struct({
    sessionHours: Schema.Struct({ life: number, idle: number }),
    minimumPasswordCharacters: number,
    maximumApiKeyDays: number
  }),
  /** Null without mail, since nothing is sent then. */
  digest: Schema.NullOr(Schema.Struct({ hour: number, timeZone: Schema.String }))
})

export class ConfigurationApi extends HttpApiGroup.make("configuration").add(
  HttpApiEndpoint.get("get", "/console/configuration", { success: Configuration })
) {}
