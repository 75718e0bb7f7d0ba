/**
 * Keeps idempotency keys, their requests and their answers in the table `idempotency`.
 */
import { type IdempotencyClaim, type IdempotencyKey, IdempotencyStore, type OrganisationId } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { listingAcross, writing } from "../client/PgJsonStatement.ts"
import { mainChange, mainQuery, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { instant, lowestUuid, toMilliseconds } from "../tables/SqlValues.ts"
import { ownersIn } from "./Owners.ts"

/**
 * The column `key` holds the caller and the key, which has no space. Servers of the version before the
 * callers store the key alone, and need the unique index on it.
 */
const columnOf = ({ caller, key }: IdempotencyKey): string => `${caller} ${key}`

const statements = (client: PgClient["Service"]) => {
  const now = instant("$5")
  const unanswered = `where i.organisation_id = $1::uuid and i.key = $2::text and i.seed = $3::uuid and i.answer is null`
  const fresh = `i.expires_at <= ${now}`

  return {
    // The conflict clause waits for a concurrent claim and then sees its row; a select would not.
    // $8 is the key of a claim that names no caller, made by a server of an earlier version: nothing is
    // claimed, as its answer may belong to another caller.
    claim: writing<IdempotencyClaim>(
      client,
      "IdempotencyStore.claim",
      sql`with claimed as (
         insert into ${table("idempotency")} as i (
           organisation_id, key, fingerprint, seed, lease_until, expires_at, last_claim
         )
         select $1::uuid, $2::text, $3::text, $4::uuid, ${instant("$6")}, ${instant("$7")}, 'Claimed'
         where not exists (
           select from ${table("idempotency")} o
           where o.organisation_id = $1::uuid and o.key = $8::text and o.expires_at > ${now}
         )
         on conflict (organisation_id, key) do update set
           fingerprint = case when ${fresh} then excluded.fingerprint else i.fingerprint end,
           seed = case when ${fresh} then excluded.seed else i.seed end,
           expires_at = case when ${fresh} then excluded.expires_at else i.expires_at end,
           answer = case when ${fresh} then null else i.answer end,
           lease_until = case
             when ${fresh} or (i.fingerprint = excluded.fingerprint and i.answer is null and i.lease_until <= ${now})
             then excluded.lease_until else i.lease_until end,
           last_claim = case
             when ${fresh} then 'Claimed'
             when i.fingerprint <> excluded.fingerprint then 'Reused'
             when i.answer is not null then 'Answered'
             when i.lease_until > ${now} then 'InUse'
             else 'Claimed' end
         returning i.last_claim, i.seed, i.answer
       )
       ${mainQuery} select (case c.last_claim
         when 'Claimed' then json_build_object('_tag', 'Claimed', 'seed', c.seed)
         when 'Answered' then json_build_object('_tag', 'Answered', 'seed', c.seed, 'answer', c.answer)
         else json_build_object('_tag', c.last_claim) end)::text
       from claimed c`
    ),

    answer: writing(
      client,
      "IdempotencyStore.end",
      sql`${mainChange} update ${table("idempotency")} i set answer = $4::text ${unanswered}`
    ),

    remove: writing(
      client,
      "IdempotencyStore.end",
      sql`${mainChange} delete from ${table("idempotency")} i ${unanswered}`
    ),

    endLease: writing(
      client,
      "IdempotencyStore.end",
      sql`${mainChange} update ${table("idempotency")} i set lease_until = ${instant("$4")} ${unanswered}`
    ),

    // Reads the index once per organisation, not once per claim.
    findOrganisations: listingAcross<OrganisationId>(
      client,
      "IdempotencyStore.findOrganisations",
      sql`with recursive ${ownersIn("owner", table("idempotency"), "expires_at", "$2::uuid")}
       ${mainQuery} select '0', to_json(o.organisation_id)::text from owner o limit $1::int`
    ),

    purge: writing<number>(
      client,
      "IdempotencyStore.purge",
      sql`with old as materialized (
         select o.key from ${table("idempotency")} o
         where o.organisation_id = $1::uuid and o.expires_at <= ${instant("$2")}
         order by o.expires_at limit $3::int for update skip locked
       ), removed as (
         delete from ${table("idempotency")} i using old
         where i.organisation_id = $1::uuid and i.key = old.key
         returning i.key
       ), kept as materialized (
         select i.key, sum(octet_length(i.answer)) over (order by i.expires_at desc, i.key) as bytes
         from ${table("idempotency")} i
         where i.organisation_id = $1::uuid and i.expires_at > ${instant("$2")} and i.answer is not null
       ), dropped as (
         update ${table("idempotency")} i set answer = null, lease_until = ${instant("$2")} from kept k
         where i.organisation_id = $1::uuid and i.key = k.key and k.bytes > $4::bigint
       )
       ${mainQuery} select to_json((select count(*) from removed))::text`
    )
  }
}

export const layer: Layer.Layer<IdempotencyStore, never, PgClient> = Layer.effect(
  IdempotencyStore,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)
    return IdempotencyStore.of({
      claim: (organisationId, key, { expiresAt, fingerprint, leaseUntil, now, seed }) => {
        const instants = [now, leaseUntil, expiresAt].map(toMilliseconds)
        const claimed = sql.claim(organisationId, columnOf(key), fingerprint, seed, ...instants, key.key)
        return Effect.map(claimed, (claim): IdempotencyClaim => claim ?? { _tag: "Reused" })
      },
      end: (organisationId, key, { outcome, seed }) => {
        const claim = [organisationId, columnOf(key), seed] as const
        if (outcome._tag === "Answered") return Effect.asVoid(sql.answer(...claim, outcome.answer))
        if (outcome._tag === "Refused") return Effect.asVoid(sql.remove(...claim))
        return Effect.asVoid(sql.endLease(...claim, toMilliseconds(outcome.now)))
      },
      findOrganisations: ({ after, limit }) => sql.findOrganisations(limit, after ?? lowestUuid),
      purge: (organisationId, { limit, maximumBytes, now }) =>
        Effect.map(sql.purge(organisationId, toMilliseconds(now), limit, maximumBytes), (removed) => removed ?? 0)
    })
  })
)
