/** Settings of the user's organisation. */
import { CurrentCaller } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { OrganisationSettings } from "../accounts/OrganisationSettings.ts"
import { mayManage } from "../accounts/Role.ts"
import type { Session } from "../accounts/Sessions.ts"
import type { Access } from "./Access.ts"
import { body } from "./Body.ts"
import { roleInsufficient } from "./ConsoleProblems.ts"

const path = "/console/organisation"

const readChange = body(Schema.Struct({ requireSecondFactor: Schema.Boolean }))

export const organisationEndpoints = ({
  admit
}: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, OrganisationSettings> =>
  Effect.map(OrganisationSettings, (settings) => {
    const respond = ({ organisation: { id, name } }: Session) =>
      Effect.map(settings.get(id), (document) => HttpServerResponse.jsonUnsafe({ id, name, ...document }))

    const show = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const session = yield* admit(incoming)
      incoming.identify(session.caller)
      return yield* respond(session)
    })

    const change = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const session = yield* admit(incoming)
      incoming.identify(session.caller)
      if (!mayManage(session.user.role, "viewer")) return yield* roleInsufficient("admin")
      const { requireSecondFactor } = yield* readChange(incoming)
      yield* Effect.provideService(
        settings.requireSecondFactor(session.organisation.id, requireSecondFactor),
        CurrentCaller,
        session.caller
      )
      return yield* respond(session)
    })

    return [
      { method: "GET", path, serve: show },
      { method: "PUT", path, serve: change }
    ]
  })
