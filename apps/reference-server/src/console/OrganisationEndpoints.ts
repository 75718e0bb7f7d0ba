/** Settings of the user's organisation. */
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { OrganisationSettings } from "../accounts/OrganisationSettings.ts"
import { mayManage } from "../accounts/Role.ts"
import type { Session } from "../accounts/Sessions.ts"
import type { Access } from "./Access.ts"
import { asUser } from "./AsUser.ts"
import { body } from "./Body.ts"
import { roleInsufficient } from "./ConsoleProblems.ts"

const path = "/console/organisation"

const readChange = body(Schema.Struct({ requireSecondFactor: Schema.Boolean }))

export const organisationEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, OrganisationSettings> =>
  Effect.map(OrganisationSettings, (settings) => {
    const forUser = asUser(access)

    const respond = ({ organisation: { id, name } }: Session) =>
      Effect.map(settings.get(id), (document) => HttpServerResponse.jsonUnsafe({ id, name, ...document }))

    const change = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      if (!mayManage(session.user.role, "viewer")) return yield* roleInsufficient("admin")
      const { requireSecondFactor } = yield* readChange(incoming)
      yield* settings.requireSecondFactor(session.organisation.id, requireSecondFactor)
      return yield* respond(session)
    })

    return [
      { method: "GET", path, serve: forUser((_, session) => respond(session)) },
      { method: "PUT", path, serve: forUser(change) }
    ]
  })
