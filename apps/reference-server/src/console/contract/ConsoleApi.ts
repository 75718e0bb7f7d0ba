/**
 * The contract of the console's own endpoints. They are no part of the public API and its OpenAPI
 * document. The console derives the types of its requests from it.
 */
import type { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { AccountApi, SecondFactorApi } from "./AccountApi.ts"
import type { ApiKeysApi } from "./ApiKeysApi.ts"
import type { ConfigurationApi } from "./ConfigurationApi.ts"
import type { CoverageOfSitesApi } from "./CoverageOfSitesApi.ts"
import type { FoundSitesApi } from "./FoundSitesApi.ts"
import type { ImportFilesApi, ImportsApi } from "./ImportsApi.ts"
import type { InvitationsApi, ReceivedInvitationsApi } from "./InvitationsApi.ts"
import type { LinksApi, PasswordResetsApi } from "./LinksApi.ts"
import type { OrganisationApi } from "./OrganisationApi.ts"
import type { LoginApi, SessionApi } from "./SessionApi.ts"
import type { SessionsApi } from "./SessionsApi.ts"
import type { UsersApi } from "./UsersApi.ts"

type Groups = [
  typeof AccountApi,
  typeof ApiKeysApi,
  typeof ConfigurationApi,
  typeof CoverageOfSitesApi,
  typeof FoundSitesApi,
  typeof ImportFilesApi,
  typeof ImportsApi,
  typeof InvitationsApi,
  typeof LinksApi,
  typeof LoginApi,
  typeof OrganisationApi,
  typeof PasswordResetsApi,
  typeof ReceivedInvitationsApi,
  typeof SecondFactorApi,
  typeof SessionApi,
  typeof SessionsApi,
  typeof UsersApi
]

type Endpoint = Groups[number]["endpoints"] extends infer Endpoints
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
