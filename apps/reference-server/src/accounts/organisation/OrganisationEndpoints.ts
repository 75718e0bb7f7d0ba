/** Serves the user's organisation: name, settings, use and totals. */
import { type Organisation, type OrganisationId, Organisations } from "@solar-sites/core"
import { hostGroup, reply } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "../../console/Access.ts"
import { problems } from "../../console/ConsoleProblems.ts"
import { OrganisationApi } from "../../console/contract/OrganisationApi.ts"
import { CurrentSession, currentUser, withSession } from "../../console/WithSession.ts"
import { makeCommands } from "../Commands.ts"
import {
  findsOfSettings,
  findsOfViews,
  requireSecondFactor,
  settingsOf,
  sharedViewsOf,
  shareView
} from "./OrganisationSettings.ts"
import { organisationOverview, organisationUse } from "./OrganisationTotals.ts"

export const organisationEndpoints = (access: Access) =>
  Effect.gen(function* () {
    const { decide, load } = yield* makeCommands
    const organisations = yield* Organisations
    const useOf = yield* organisationUse
    const overviewOf = yield* organisationOverview

    const respond = Effect.fnUntraced(function* ({ id, name }: Pick<Organisation, "id" | "name">) {
      const found = yield* load("OrganisationSettings.read", id, findsOfSettings(id))
      return reply({ id, name, ...settingsOf(found, id) })
    })

    const views = (id: OrganisationId) =>
      Effect.map(load("SharedViews.read", id, findsOfViews(id)), (found) => reply({ data: sharedViewsOf(found, id) }))

    return hostGroup(OrganisationApi, withSession(access), {
      get: () => Effect.flatMap(CurrentSession, ({ organisation }) => respond(organisation)),
      change: Effect.fnUntraced(function* ({ payload }) {
        const { organisation } = yield* CurrentSession
        yield* decide(requireSecondFactor(organisation.id, payload.requireSecondFactor))
        return yield* respond(organisation)
      }),
      // The organisation may have been deleted since the look-up of the session.
      rename: ({ payload }) =>
        Effect.flatMap(CurrentSession, ({ organisation }) => organisations.update(organisation.id, payload)).pipe(
          Effect.catchTag("OrganisationNotFound", () => Effect.fail(problems.session_missing)),
          Effect.flatMap(respond)
        ),
      use: Effect.fnUntraced(function* () {
        const { organisation } = yield* CurrentSession
        const totals = yield* useOf({ organisationId: organisation.id })
        return totals === null ? yield* problems.session_missing : reply(totals)
      }),
      views: () => Effect.flatMap(CurrentSession, ({ organisation }) => views(organisation.id)),
      share: Effect.fnUntraced(function* ({ payload }) {
        const { organisation } = yield* CurrentSession
        if (!(yield* decide(shareView(organisation.id, payload)))) return yield* problems.too_many_views
        return yield* views(organisation.id)
      }),
      overview: () => Effect.map(Effect.flatMap(currentUser, overviewOf), (totals) => reply(totals))
    })
  })
