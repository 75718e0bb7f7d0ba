/** The user's organisation: name, settings, use and totals. */
import {
  maximumLiveApiKeys,
  maximumRequirements,
  maximumWebhooks,
  Name,
  type Organisation,
  Organisations
} from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { asUser } from "../../console/AsUser.ts"
import { body } from "../../console/Body.ts"
import { roleInsufficient, sessionMissing } from "../../console/ConsoleProblems.ts"
import { mayManage } from "../people/Role.ts"
import type { Session } from "../sessions/Sessions.ts"
import { OrganisationOverview } from "./OrganisationOverview.ts"
import { OrganisationSettings } from "./OrganisationSettings.ts"
import { OrganisationUse } from "./OrganisationUse.ts"

const path = "/console/organisation"

const limits = { apiKeys: maximumLiveApiKeys, webhooks: maximumWebhooks, requirements: maximumRequirements }

const readChange = body(Schema.Struct({ requireSecondFactor: Schema.Boolean }))
const readName = body(Schema.Struct({ name: Name }))

export const organisationEndpoints = (
  access: Access
): Effect.Effect<
  ReadonlyArray<HostEndpoint>,
  never,
  Organisations | OrganisationOverview | OrganisationSettings | OrganisationUse
> =>
  Effect.gen(function* () {
    const organisations = yield* Organisations
    const settings = yield* OrganisationSettings
    const use = yield* OrganisationUse
    const overview = yield* OrganisationOverview

    const forUser = asUser(access)

    const respond = ({ organisation: { id, name } }: { readonly organisation: Pick<Organisation, "id" | "name"> }) =>
      Effect.map(settings.get(id), (document) => HttpServerResponse.jsonUnsafe({ id, name, ...document }))

    const change = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      if (!mayManage(session.user.role, "viewer")) return yield* roleInsufficient("admin")
      const { requireSecondFactor } = yield* readChange(incoming)
      yield* settings.requireSecondFactor(session.organisation.id, requireSecondFactor)
      return yield* respond(session)
    })

    const rename = Effect.fnUntraced(function* (incoming: HostEndpointRequest, { organisation, user }: Session) {
      if (user.role !== "owner") return yield* roleInsufficient("owner")
      const { name } = yield* readName(incoming)
      const renaming = organisations.update(organisation.id, { name })
      const renamed = yield* Effect.catchTags(renaming, {
        // The organisation was deleted since the look-up of the session.
        OrganisationNotFound: () => Effect.fail(sessionMissing)
      })
      return yield* respond({ organisation: renamed })
    })

    const showUse = (_: HostEndpointRequest, { organisation }: Session) =>
      Effect.map(use.get(organisation.id), (document) => HttpServerResponse.jsonUnsafe({ ...document, limits }))

    const showOverview = (_: HostEndpointRequest, { organisation }: Session) =>
      Effect.map(overview.get(organisation.id), (document) => HttpServerResponse.jsonUnsafe(document))

    return [
      { method: "GET", path, serve: forUser((_, session) => respond(session)) },
      { method: "PUT", path, serve: forUser(change) },
      { method: "PUT", path: `${path}/name`, serve: forUser(rename) },
      { method: "GET", path: `${path}/use`, serve: forUser(showUse) },
      { method: "GET", path: `${path}/overview`, serve: forUser(showOverview) }
    ]
  })
