/** Settings of the console per organisation, in the table `console_organisation`. */
import { mainQuery, PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError } from "@solar-sites/core"
import { Context, Effect, Layer } from "effect"
import { statement } from "../Statement.ts"

/** `loginDomains` are domains of e-mail addresses for OpenID Connect; the operator sets them. */
export interface OrganisationSettingsDocument {
  readonly requireSecondFactor: boolean
  readonly loginDomains: ReadonlyArray<string>
}

/** An organisation without a row has false. */
const requirement = () => sql`coalesce(
  (select require_second_factor from ${table("console_organisation")} where organisation_id = $1::uuid), false)`

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
  static readonly layer: Layer.Layer<OrganisationSettings, never, PgClient> = Layer.effect(
    OrganisationSettings,
    Effect.gen(function* () {
      const client = yield* PgClient
      const originOf = yield* PgEventLog.originParameters

      const read = statement<OrganisationSettingsDocument>(
        client,
        "OrganisationSettings.read",
        sql`select json_build_object('requireSecondFactor', ${requirement()}, 'loginDomains', coalesce(
           (select json_agg(d.domain order by d.domain) from ${table("console_login_domain")} d
            where d.organisation_id = $1::uuid), '[]'))::text`,
        { repeatable: true }
      )

      const write = statement(
        client,
        "OrganisationSettings.write",
        sql`with x as materialized (
           select id, name from ${table("organisation")} where id = $1::uuid for key share
         ), changed as (
           insert into ${table("console_organisation")} as g (organisation_id, require_second_factor)
           select x.id, $2::boolean from x where ${requirement()} <> $2::boolean
           on conflict (organisation_id) do update set require_second_factor = excluded.require_second_factor
           where g.require_second_factor <> excluded.require_second_factor
           returning g.organisation_id, g.require_second_factor
         ), ${PgEventLog.writeEvents({
           type: "organisation.updated",
           from: `changed c cross join x
             cross join ${PgEventLog.originFrom("$3", "o")}`,
           origin: "o",
           subjectId: "x.id",
           subjectName: "x.name",
           siteId: "null::uuid",
           changes: `json_build_object('requireSecondFactor',
             json_build_object('from', not c.require_second_factor, 'to', c.require_second_factor))::text`
         })}
         ${mainQuery} select null::text, ${PgEventLog.writtenTypes}`,
        { owned: true }
      )

      return OrganisationSettings.of({
        get: (organisationId) =>
          Effect.map(read(organisationId), (found) => found ?? { requireSecondFactor: false, loginDomains: [] }),
        requireSecondFactor: Effect.fnUntraced(function* (organisationId, isRequired) {
          yield* write(organisationId, isRequired, yield* originOf(organisationId))
        })
      })
    })
  )
}
