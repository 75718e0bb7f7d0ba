/**
 * The API reference for people, as one page that needs no other address. In a
 * module of its own, since the page brings its program along.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar } from "effect/http-api"

const anyRequest = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))

/** The page for this contract. */
export const apiReference = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.scoped(
    Effect.flatten(
      HttpRouter.toHttpEffect(
        HttpApiScalar.layer(api, { path: "/docs", scalar: { withDefaultFonts: false, defaultOpenAllTags: true } })
      )
    )
  ).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, anyRequest), Effect.orDie)
