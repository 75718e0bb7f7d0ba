/**
 * The queue of deliveries in the table `webhook_delivery`: due deliveries and their end.
 */
import {
  type DueWebhook,
  IdGenerator,
  keptWebhookDeliveries,
  type OrganisationId,
  WebhookQueue
} from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { listingAcross, writing } from "../client/PgJsonStatement.ts"
import { mainQuery, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { fromSeconds, instant, lowestUuid, seconds, toMilliseconds } from "../tables/SqlValues.ts"
import { ownersIn } from "./Owners.ts"
import { makeClaims } from "./PgWebhookClaims.ts"

const statements = (client: PgClient["Service"]) => {
  // Recursive expressions skip along an index. Organisations with webhooks:
  const owners = (after?: string) => ownersIn("owner", table("webhook"), "id", after)
  const firstPending = (condition: string) => sql`
    select d.organisation_id, d.webhook_id, d.next_attempt_at from ${table("webhook_delivery")} d
    where d.status = 'pending' ${condition}
    order by d.organisation_id, d.webhook_id, d.next_attempt_at limit 1`
  // Webhooks with pending deliveries, each with the first instant at which one is due:
  const pending = sql`pending (organisation_id, webhook_id, next_attempt_at) as (
    (${firstPending(`and d.organisation_id > '${lowestUuid}'::uuid`)})
    union all
    select n.* from pending p cross join lateral (
      ${firstPending("and (d.organisation_id, d.webhook_id) > (p.organisation_id, p.webhook_id)")}
    ) n
  )`
  const ended = (rest: string) => sql`
    (select d.webhook_id, d.id from ${table("webhook_delivery")} d
     where d.organisation_id = w.organisation_id and d.webhook_id = w.id and d.status <> 'pending' ${rest})`

  return {
    // Reads the positions of each organisation, not its events.
    findUndispatched: listingAcross<OrganisationId>(
      client,
      "WebhookQueue.findUndispatched",
      sql`with recursive ${owners()}
       ${mainQuery} select '0', to_json(o.organisation_id)::text from owner o cross join lateral (
         select from ${table("webhook")} w
         where w.organisation_id = o.organisation_id and w.enabled and w.dispatched_sequence < (
           select s.last from ${table("event_sequence")} s where s.organisation_id = o.organisation_id
         )
         limit 1
       ) behind
       limit $1::int`
    ),

    // Sequences follow the order of commits: no event appears later before the last one that this
    // statement sees. The lock gives the latest position, so concurrent runs read no event twice.
    dispatch: writing<number>(
      client,
      "WebhookQueue.dispatch",
      sql`with locked as materialized (
         select w.id, w.events, w.dispatched_sequence from ${table("webhook")} w
         where w.organisation_id = $1::uuid and w.enabled
         order by w.id
         for no key update
       ), open as materialized (
         select l.*, least($3::int, ${keptWebhookDeliveries.pending} - (select count(*) from (
           select from ${table("webhook_delivery")} d
           where d.organisation_id = $1::uuid and d.webhook_id = l.id and d.status = 'pending'
           limit ${keptWebhookDeliveries.pending}
         ) p)) as room
         from locked l
       ), read as materialized (
         select o.id as webhook_id, e.sequence, e.id as event_id, e.type,
                o.events ?| array[e.type, split_part(e.type, '.', 1) || '.*', '*']
                  and not (e.type = 'webhook.created' and e.subject_id = o.id) as matches
         from open o cross join lateral (
           select * from ${table("event")} e
           where e.organisation_id = $1::uuid and e.sequence > o.dispatched_sequence
           order by e.sequence limit o.room
         ) e
       ), added as (
         insert into ${table("webhook_delivery")} (
           organisation_id, webhook_id, id, event_sequence, event_id, type, attempt, status, created_at, at, next_attempt_at
         )
         select $1::uuid, r.webhook_id,
                (left($4::text, 28) || lpad(to_hex(row_number() over (order by r.sequence, r.webhook_id)), 8, '0'))::uuid,
                r.sequence, r.event_id, r.type, 0, 'pending', ${instant("$2")}, ${instant("$2")}, ${instant("$2")}
         from read r where r.matches
       ), moved as (
         update ${table("webhook")} w set dispatched_sequence = r.last
         from (select webhook_id, max(sequence) as last from read group by webhook_id) r
         where w.organisation_id = $1::uuid and w.id = r.webhook_id
         returning w.id
       )
       ${mainQuery} select to_json(count(*))::text from moved`
    ),

    // Reads the index once per webhook, not once per delivery.
    findDue: listingAcross<DueWebhook>(
      client,
      "WebhookQueue.findDue",
      sql`with recursive ${pending}
       ${mainQuery} select coalesce(${seconds("w.claimed_at")}, '-infinity')::text,
              json_build_object('webhookId', w.id, 'organisationId', w.organisation_id)::text
       from pending p join ${table("webhook")} w on w.organisation_id = p.organisation_id and w.id = p.webhook_id
       where p.next_attempt_at <= ${instant("$2")}
       order by w.claimed_at nulls first, w.id
       limit $1::int`
    ),

    oldestPending: listingAcross<number>(
      client,
      "WebhookQueue.oldestPending",
      sql`with recursive ${pending}
       ${mainQuery} select ${seconds("min(m.created_at)")}::text, to_json(${seconds("min(m.created_at)")})::text
       from pending p cross join lateral (
         select min(d.created_at) as created_at from ${table("webhook_delivery")} d
         where d.organisation_id = p.organisation_id and d.webhook_id = p.webhook_id and d.status = 'pending'
       ) m cross join lateral (
         select from ${table("webhook")} w
         where w.organisation_id = p.organisation_id and w.id = p.webhook_id and w.enabled
         limit 1
       ) enabled
       having count(*) > 0
       limit $1::int`
    ),

    findOrganisations: listingAcross<OrganisationId>(
      client,
      "WebhookQueue.findOrganisations",
      sql`with recursive ${owners("$2::uuid")}
       ${mainQuery} select '0', to_json(o.organisation_id)::text from owner o limit $1::int`
    ),

    purge: writing<number>(
      client,
      "WebhookQueue.purge",
      sql`with old as materialized (
         select x.webhook_id, x.id from ${table("webhook")} w cross join lateral (
           ${ended(`and d.at < ${instant("$2")} limit $4::int`)}
           union
           ${ended("order by d.at desc offset $3::int limit $4::int")}
         ) x
         where w.organisation_id = $1::uuid
         limit $4::int
       ), locked as materialized (
         select d.webhook_id, d.id from ${table("webhook_delivery")} d
         where d.organisation_id = $1::uuid and (d.webhook_id, d.id) in (select * from old)
         for update skip locked
       ), removed as (
         delete from ${table("webhook_delivery")} d using locked l
         where d.organisation_id = $1::uuid and d.webhook_id = l.webhook_id and d.id = l.id
         returning d.id
       )
       ${mainQuery} select to_json(count(*))::text from removed`
    )
  }
}

export const layer: Layer.Layer<WebhookQueue, never, PgClient> = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const client = yield* PgClient
    const sql = statements(client)
    const nextId = yield* IdGenerator

    return WebhookQueue.of({
      ...makeClaims(client),

      findUndispatched: (limit) => sql.findUndispatched(limit),

      dispatch: Effect.fnUntraced(function* (organisationId, { at, limit }) {
        return (yield* sql.dispatch(organisationId, toMilliseconds(at), limit, yield* nextId)) ?? 0
      }),

      findDue: ({ limit, now }) => sql.findDue(limit, toMilliseconds(now)),

      oldestPending: Effect.map(sql.oldestPending(1), ([at = null]) => Option.map(Option.fromNullOr(at), fromSeconds)),

      findOrganisations: ({ after, limit }) => sql.findOrganisations(limit, after ?? lowestUuid),

      purge: (organisationId, { before, keep, limit }) =>
        Effect.map(sql.purge(organisationId, toMilliseconds(before), keep, limit), (removed) => removed ?? 0)
    })
  })
)
