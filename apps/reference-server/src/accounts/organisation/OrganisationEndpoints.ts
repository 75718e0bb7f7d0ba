/** Serves the user's organisation: name, settings, use and totals. */
import { type Organisation, Organisations } from "@solar-sites/core"
import { type HostEndpoint, hostGroup, reply } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "../../console/Access.ts"
import { sessionMissing } from "../../console/ConsoleProblems.ts"
import { OrganisationApi } from "../../console/contract/OrganisationApi.ts"
import { CurrentSession, withSession } from "../../console/WithSession.ts"
import { OrganisationOverview } from "./OrganisationOverview.ts"
import { OrganisationSettings } from "./OrganisationSettings.ts"
import { OrganisationUse } from "./OrganisationUse.ts"

/** Refuses where the organisation was deleted since the look-up of the session. */
const present = <A>(found: A | null) => (found === null ? Effect.fail(sessionMissing) : Effect.succeed(found))

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

    const respond = ({ id, name }: Pick<Organisation, "id" | "name">) =>
      Effect.map(settings.get(id), (document) => reply({ id, name, ...document }))

    return hostGroup(OrganisationApi, withSession(access), {
      get: () => Effect.flatMap(CurrentSession, ({ organisation }) => respond(organisation)),
      change: ({ payload }) =>
        Effect.flatMap(CurrentSession, ({ organisation }) =>
          Effect.andThen(
            settings.requireSecondFactor(organisation.id, payload.requireSecondFactor),
            respond(organisation)
          )
        ),
      rename: ({ payload }) =>
        Effect.flatMap(CurrentSession, ({ organisation }) => organisations.update(organisation.id, payload)).pipe(
          Effect.catchTag("OrganisationNotFound", () => present(null)),
          Effect.flatMap(respond)
        ),
      use: () =>
        Effect.flatMap(CurrentSession, ({ organisation }) => use.get(organisation.id)).pipe(
          Effect.flatMap(present),
          Effect.map((totals) => reply(totals))
        ),
      overview: () =>
        Effect.map(
          Effect.flatMap(CurrentSession, (session) => overview.get(session)),
          (totals) => reply(totals)
        )
    })
  })
