/** Serves a request as the user of its session. */
import { CurrentCaller } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest, Refusal } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Session } from "../accounts/sessions/Sessions.ts"
import type { Access } from "./Access.ts"

export type ServeUser = (
  incoming: HostEndpointRequest,
  session: Session
) => Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, CurrentCaller>

export const asUser =
  ({ admit }: Pick<Access, "admit">) =>
  (serve: ServeUser): HostEndpoint["serve"] =>
  (incoming) =>
    Effect.flatMap(admit(incoming), (session) => {
      incoming.identify(session.caller)
      return Effect.provideService(serve(incoming, session), CurrentCaller, session.caller)
    })
