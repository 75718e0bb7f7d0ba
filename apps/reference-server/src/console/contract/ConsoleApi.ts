/**
 * The contract of the console's own endpoints. They are no part of the public API and its OpenAPI
 * document. The console derives the types of its requests from it.
 */
import type { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

type Contract = typeof import("./AccountApi.ts") &
  typeof import("./ApiKeysApi.ts") &
  typeof import("./ConfigurationApi.ts") &
  typeof import("./CoverageOfSitesApi.ts") &
  typeof import("./FoundSitesApi.ts") &
  typeof import("./ImportsApi.ts") &
  typeof import("./InvitationsApi.ts") &
  typeof import("./LinksApi.ts") &
  typeof import("./OrganisationApi.ts") &
  typeof import("./SessionApi.ts") &
  typeof import("./SessionsApi.ts") &
  typeof import("./UsersApi.ts")

type Groups = Contract[keyof Contract & `${string}Api`]

type Endpoint = Groups["endpoints"] extends infer Endpoints
  ? Endpoints extends unknown
    ? Endpoints[keyof Endpoints]
    : never
  : never

/** The form of a value in JSON, or of a parameter. */
type Encoded<S> =
  S extends Schema.toCodecJson<infer Value>
    ? Value["Encoded"]
    : S extends Schema.toCodecStringTree<infer Value>
      ? Value["Encoded"]
      : never

type Part<Name extends string, S> = [S] extends [never] ? unknown : { readonly [_ in Name]: Encoded<S> }

/** Input and output of each endpoint in their JSON form, by method and path such as `GET /console/api-keys`. */
export type ConsoleOperations = {
  readonly [One in Endpoint as `${One["method"]} ${One["path"]}`]: {
    readonly input: Part<"params", HttpApiEndpoint.Params<One>> &
      Part<"query", HttpApiEndpoint.Query<One>> &
      Part<"payload", HttpApiEndpoint.Payload<One>>
    readonly output: Encoded<HttpApiEndpoint.Success<One>>
  }
}
