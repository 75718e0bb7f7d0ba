/**
 * Keeps webhooks in the table `webhook`.
 */
import {
  maximumWebhooks,
  OrganisationNotFound,
  type RepositoryError,
  TooManyWebhooks,
  VersionMismatch,
  WebhookNotFound,
  WebhookRepository,
  WebhookSigning
} from "@solar-sites/core"
import { Effect, Layer, Option, Redacted } from "effect"
import { violates } from "../client/PgErrors.ts"
import { PgClient } from "../PgClient.ts"
import { instant, isExpected, toMilliseconds, versionsParameter } from "../tables/SqlValues.ts"
import { readWebhook, type WebhookJson, webhookEvent, webhookJson, webhookTable } from "../tables/WebhookTable.ts"
import { originFrom, originParameters, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { reading, writing } from "./PgJsonStatement.ts"
import { makeDeliveries } from "./PgWebhookDeliveries.ts"

interface Issued {
  readonly webhook: WebhookJson
  readonly secret: string
}

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const webhook = `${schema}.webhook w where w.organisation_id = $1::uuid and w.id = $2::uuid`
  const lastSequence = `coalesce((select s.last from ${schema}.event_sequence s where s.organisation_id = $1::uuid), 0)`

  return {
    // The key share of the foreign key is taken before the lock of the event log.
    insert: writing<{ readonly found: boolean; readonly hasRoom: boolean; readonly stored: Issued | null }>(
      client,
      "WebhookRepository.insert",
      `with owner as materialized (
         select o.id from ${schema}.organisation o where o.id = $1::uuid for key share
       ), existing as materialized (
         select w.* from ${webhook}
       ), free as materialized (
         select min(n) as slot from generate_series(1, ${maximumWebhooks}) n
         where not exists (select from ${schema}.webhook w where w.organisation_id = $1::uuid and w.slot = n)
       ), inserted as (
         insert into ${schema}.webhook as w (
           organisation_id, slot, secrets, dispatched_sequence, ${webhookTable.inserted.join(", ")}
         )
         select $1::uuid, f.slot, jsonb_build_array(jsonb_build_object('secret', $4::text, 'until', null)),
                ${lastSequence}, ${webhookTable.insertedValues("r").join(", ")}
         from free f cross join owner
           cross join json_to_record($3::text::json) as r (${webhookTable.inputTypes})
         where f.slot is not null and not exists (select from existing)
         returning w.*
       ), ${writeEvents(schema, {
         type: "webhook.created",
         from: `inserted w cross join ${originFrom("$5", "o")}`,
         origin: "o",
         ...webhookEvent(null, "w")
       })}
       select json_build_object(
         'found', exists (select from owner), 'hasRoom', (select slot from free) is not null,
         'stored', (select json_build_object('webhook', ${webhookJson(schema, "w")}, 'secret', w.secrets #>> '{0,secret}')
           from (select * from inserted union all select * from existing) w)
       )::text, ${writtenTypes}`
    ),

    findById: reading<WebhookJson>(
      client,
      "WebhookRepository.findById",
      `select ${webhookJson(schema, "w")}::text from ${webhook}`
    ),

    list: reading<ReadonlyArray<WebhookJson>>(
      client,
      "WebhookRepository.list",
      `select json_agg(${webhookJson(schema, "w")} order by w.id)::text from (
         select * from ${schema}.webhook w
         where w.organisation_id = $1::uuid and ($2::uuid is null or w.id > $2::uuid)
         order by w.id limit $3::int
       ) w`
    ),

    update: writing<{ readonly expected: boolean; readonly version: number; readonly webhook: WebhookJson }>(
      client,
      "WebhookRepository.update",
      `with locked as materialized (
         select w.*, ${isExpected("w.version", "$5")} as expected from ${webhook} for no key update
       ), next as materialized (
         select l.id, coalesce(n ->> 'url', l.url) as url, coalesce(n -> 'events', l.events) as events,
                case when jsonb_exists(n, 'description') then n ->> 'description' else l.description end as description,
                coalesce((n ->> 'enabled')::boolean, l.enabled) as enabled
         from locked l cross join (select $3::text::jsonb as n) input
         where l.expected
       ), changed as (
         update ${schema}.webhook w
         set url = n.url, events = n.events, description = n.description, enabled = n.enabled,
             updated_at = ${instant("$4")}, version = l.version + 1,
             dispatched_sequence = case when n.enabled and not l.enabled
               then greatest(l.dispatched_sequence, ${lastSequence}) else l.dispatched_sequence end,
             failing_since = case when n.url <> l.url or (n.enabled and not l.enabled) then null else l.failing_since end
         from locked l join next n on n.id = l.id
         where w.organisation_id = $1::uuid and w.id = l.id
           and (n.url, n.events, n.description, n.enabled) is distinct from (l.url, l.events, l.description, l.enabled)
         returning w.*
       ), ${writeEvents(schema, {
         type: "webhook.updated",
         from: `changed w cross join locked l cross join ${originFrom("$6", "o")}`,
         origin: "o",
         ...webhookEvent("l", "w")
       })}
       select json_build_object(
         'expected', l.expected, 'version', l.version,
         'webhook', coalesce((select ${webhookJson(schema, "w")} from changed w), ${webhookJson(schema, "l")})
       )::text, ${writtenTypes}
       from locked l`
    ),

    delete: writing<{ readonly removed: boolean; readonly version: number }>(
      client,
      "WebhookRepository.delete",
      `with locked as materialized (
         select w.id, w.version, ${isExpected("w.version", "$3")} as expected from ${webhook} for update
       ), removed as (
         delete from ${schema}.webhook w using locked l
         where w.organisation_id = $1::uuid and w.id = l.id and l.expected
         returning w.*
       ), ${writeEvents(schema, {
         type: "webhook.deleted",
         from: `removed w cross join ${originFrom("$4", "o")}`,
         origin: "o",
         ...webhookEvent("w", null)
       })}
       select json_build_object('removed', l.expected, 'version', l.version)::text, ${writtenTypes} from locked l`
    ),

    rotateSecret: writing<WebhookJson>(
      client,
      "WebhookRepository.rotateSecret",
      `with locked as materialized (
         select w.* from ${webhook} for no key update
       ), changed as (
         update ${schema}.webhook w
         set secrets = (
               select jsonb_agg(s.secret order by s.number)
               from (
                 select jsonb_build_object('secret', $3::text, 'until', null) as secret, 0 as number
                 union all
                 select case when e.number = 1 then jsonb_set(e.secret, '{until}', to_jsonb($5::float8)) else e.secret end,
                        e.number
                 from jsonb_array_elements(l.secrets) with ordinality as e (secret, number)
                 order by number limit ${WebhookSigning.maximumSecrets}
               ) s
             ),
             updated_at = ${instant("$4")}, version = l.version + 1
         from locked l
         where w.organisation_id = $1::uuid and w.id = l.id
         returning w.*
       ), ${writeEvents(schema, {
         type: "webhook.updated",
         from: `changed w cross join ${originFrom("$6", "o")}`,
         origin: "o",
         ...webhookEvent("w", "w")
       })}
       select ${webhookJson(schema, "w")}::text, ${writtenTypes} from changed w`
    )
  }
}

const cameSecond = (error: RepositoryError) => violates("webhook_slot")(error) || violates("webhook_pkey")(error)

const tooMany = () => new TooManyWebhooks({ maximum: maximumWebhooks })

export const layer: Layer.Layer<WebhookRepository, never, PgClient> = Layer.effect(
  WebhookRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    const sql = statements(client)
    const originOf = yield* originParameters

    const insert: WebhookRepository["Service"]["insert"] = Effect.fnUntraced(
      function* (organisationId, webhook, secret) {
        const origin = yield* originOf(organisationId)
        const parameters = [webhook.id, webhookTable.input(webhook), Redacted.value(secret), origin]
        const answer = yield* sql.insert(organisationId, ...parameters).pipe(
          // A concurrent insert took the slot or the id. At most as many succeed as there are slots.
          Effect.retry({ while: cameSecond, times: maximumWebhooks })
        )
        if (answer === null || !answer.found) return yield* new OrganisationNotFound({ organisationId })
        if (answer.stored === null) return yield* tooMany()
        return { webhook: readWebhook(answer.stored.webhook), secret: WebhookSigning.fromText(answer.stored.secret) }
      }
    )

    const update: WebhookRepository["Service"]["update"] = Effect.fnUntraced(function* (
      organisationId,
      webhookId,
      changes,
      { at, expectedVersions }
    ) {
      const origin = yield* originOf(organisationId)
      const parameters = [JSON.stringify(changes), toMilliseconds(at), versionsParameter(expectedVersions), origin]
      const answer = yield* sql.update(organisationId, webhookId, ...parameters)
      if (answer === null) return yield* new WebhookNotFound({ webhookId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
      return readWebhook(answer.webhook)
    })

    const remove: WebhookRepository["Service"]["delete"] = Effect.fnUntraced(function* (
      organisationId,
      webhookId,
      { expectedVersions }
    ) {
      const origin = yield* originOf(organisationId)
      const answer = yield* sql.delete(organisationId, webhookId, versionsParameter(expectedVersions), origin)
      if (answer === null) return yield* new WebhookNotFound({ webhookId })
      if (!answer.removed) return yield* new VersionMismatch({ actual: answer.version })
    })

    const rotateSecret: WebhookRepository["Service"]["rotateSecret"] = Effect.fnUntraced(function* (
      organisationId,
      webhookId,
      { at, previousUntil, secret }
    ) {
      const origin = yield* originOf(organisationId)
      const parameters = [Redacted.value(secret), toMilliseconds(at), toMilliseconds(previousUntil), origin]
      const answer = yield* sql.rotateSecret(organisationId, webhookId, ...parameters)
      if (answer === null) return yield* new WebhookNotFound({ webhookId })
      return { webhook: readWebhook(answer), secret }
    })

    return WebhookRepository.of({
      insert,
      findById: (organisationId, webhookId) =>
        Effect.map(sql.findById(organisationId, webhookId), (row) => Option.map(Option.fromNullOr(row), readWebhook)),
      list: (organisationId, { after, limit }) =>
        Effect.map(sql.list(organisationId, after, limit + 1), (rows) => ({
          items: (rows ?? []).slice(0, limit).map(readWebhook),
          hasMore: (rows ?? []).length > limit
        })),
      update,
      delete: remove,
      rotateSecret,
      ...makeDeliveries(client)
    })
  })
)
