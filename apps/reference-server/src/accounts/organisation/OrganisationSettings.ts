/** Settings of the console per organisation. */
import type { OrganisationId, Records, RepositoryError } from "@solar-sites/core"
import { Context, Effect, Layer } from "effect"
import { makeCommands } from "../Commands.ts"
import { settingsKind } from "./SettingsKind.ts"
import {
  findsOfDemand,
  findsOfSettings,
  type OrganisationSettingsDocument,
  requireSecondFactor,
  settingsOf
} from "./SettingsRules.ts"

export class OrganisationSettings extends Context.Service<
  OrganisationSettings,
  {
    /** The settings; the defaults for an unknown organisation. */
    readonly get: (organisationId: OrganisationId) => Effect.Effect<OrganisationSettingsDocument, RepositoryError>
    /** Takes effect with the next request of each session. */
    readonly requireSecondFactor: (
      organisationId: OrganisationId,
      isRequired: boolean
    ) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/reference-server/OrganisationSettings") {
  static readonly layer: Layer.Layer<OrganisationSettings, never, Records> = Layer.effect(
    OrganisationSettings,
    Effect.gen(function* () {
      const { decide, load } = yield* makeCommands

      return OrganisationSettings.of({
        get: (organisationId) =>
          Effect.map(load("OrganisationSettings.read", organisationId, findsOfSettings(organisationId)), (found) =>
            settingsOf(found, organisationId)
          ),
        requireSecondFactor: (organisationId, isRequired) =>
          decide({
            operation: "OrganisationSettings.write",
            organisationId,
            of: { kind: settingsKind, id: organisationId },
            finds: findsOfDemand(organisationId),
            rule: requireSecondFactor(organisationId, isRequired)
          })
      })
    })
  )
}
