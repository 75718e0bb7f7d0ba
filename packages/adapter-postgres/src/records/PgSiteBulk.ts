/**
 * Saves many sites in one statement.
 */
import {
  MaximumPageBytes,
  reachParts,
  type SavedSite,
  type SavedSites,
  type Site,
  type SiteRepository,
  type SiteSave
} from "@solar-sites/core"
import { Effect } from "effect"
import { violates } from "../client/PgErrors.ts"
import { retriedOn, writing } from "../client/PgJsonStatement.ts"
import { mainQuery, sql, table } from "../client/PgText.ts"
import { isWithin, reachParameter } from "../lists/PgConditions.ts"
import type { PgClient } from "../PgClient.ts"
import { areTooLarge, kilowatts, type SiteRow, siteEvent, siteTable } from "../tables/SiteTable.ts"
import { instant, toMilliseconds } from "../tables/SqlValues.ts"
import { originFrom, originParameter, writeEvents, writtenTypes } from "./PgEventLog.ts"

/**
 * Sites and results are in the order of the saves; null where something stands against one. `outside` is a site that
 * was created by this save before, and is out of reach since.
 */
interface Answer extends Omit<SavedSites, "saved"> {
  readonly results: ReadonlyArray<SavedSite["result"] | "outside"> | null
  readonly sites: ReadonlyArray<SiteRow> | null
}

const { settable } = siteTable

/** SQL of the values that callers set, in a row. */
const settableOf = (row: string) => settable.map((column) => `${row}.${column}`).join(", ")

// Portfolios are locked before sites, sites before entries of the index by external id, each in
// order, so that no two statements deadlock. A site is matched by its locked row: another statement
// may have changed its external id. The answer is made of the rows that are written, so that a dry
// run, which writes none, has the same. `target` has columns of its own: each is read some ten times,
// which takes much longer from a composite value. Sites out of reach are not locked.
const saving = (client: PgClient["Service"]) => {
  const ofOrganisation = sql`from ${table("site")} s where s.organisation_id = $1::uuid`
  const isKnown = "s.id = any (array(select k.id from known k where k.id is not null))"
  return writing<Answer>(
    client,
    "SiteRepository.saveMany",
    sql`with input as materialized (
       select r.*, (coalesce(r.changes, r.fresh) ->> 'portfolio_id')::uuid as portfolio_id
       from json_to_recordset($2::text::json) as r (
         position integer, id uuid, external_id text, fresh jsonb, changes jsonb
       )
     ), locked_portfolio as materialized (
       select p.id from ${table("portfolio")} p
       where p.organisation_id = $1::uuid and p.id = any (array(select i.portfolio_id from input i))
         and ${isWithin("$7", "p.id")}
       order by p.id
       for key share
     ), known as materialized (
       select (select s.id ${ofOrganisation} and s.id = i.id) as id from input i
       union all
       select (select s.id ${ofOrganisation} and s.external_id = i.external_id) from input i
     ), locked_site as materialized (
       select s as before, s.id, s.external_id ${ofOrganisation} and ${isKnown} and ${isWithin("$7")}
         and (select count(*) from locked_portfolio) >= 0
       order by s.id
       for no key update
     ), found_site as materialized (
       select l.*, true as is_within from locked_site l
       union all
       select s, s.id, s.external_id, false ${ofOrganisation} and $7::text is not null and ${isKnown}
         and not ${isWithin("$7")}
     ), checked as materialized (
       select i.*, k.id as kept_id, k.is_within as is_kept_within, case when m.is_within then m.id end as matched_id,
              not m.is_within as is_taken_outside,
              coalesce(k.before, case when m.is_within then m.before end) as before,
              i.portfolio_id is null or p.id is not null as portfolio_found
       from input i
       left join found_site k on k.id = i.id
       left join found_site m on m.external_id = i.external_id and k.id is null
       left join locked_portfolio p on p.id = i.portfolio_id
     ), refused as materialized (
       select json_agg(c.position order by c.position)
                filter (where $7::text is not null and c.portfolio_id is null and (
                  c.matched_id is null or json_typeof(c.changes::json -> 'portfolio_id') = 'null'
                )) as unplaced,
              json_agg(c.position order by c.position) filter (where c.matched_id is null and c.fresh is null) as incomplete,
              json_agg(c.portfolio_id order by c.position) filter (where not c.portfolio_found) as missing,
              json_agg(json_build_object('externalId', c.external_id, 'takenBy', c.matched_id) order by c.position)
                filter (where c.matched_id is not null and c.changes is null or c.is_taken_outside) as taken,
              (select ${areTooLarge("s.before", "$6")} from locked_site s) as too_large
       from checked c where c.kept_id is null
     ), changed as materialized (
       select c.*, case when c.kept_id is not null then c.before
           when c.matched_id is not null then jsonb_populate_record(c.before, c.changes)
           else jsonb_populate_record(null::${table("site")}, c.fresh) end as after
       from checked c cross join refused r
       where r.unplaced is null and r.incomplete is null and r.missing is null and r.taken is null and not r.too_large
     ), judged as materialized (
       select c.*, case when not c.is_kept_within then 'outside'
           when c.kept_id is not null or c.matched_id is null then 'created'
           when (${settableOf("(c.after)")}) is distinct from (${settableOf("(c.before)")}) then 'updated'
           else 'unchanged' end as result
       from changed c
     ), target as materialized (
       select j.position, j.kept_id, j.before, j.result, (j.after).id, ${settableOf("(j.after)")},
              u.kilowatts_per_unit, (j.after).capacity * u.kilowatts_per_unit as capacity_kw,
              coalesce((j.before).created_at, ${instant("$3")}) as created_at,
              case w.written when 1 then ${instant("$3")} else (j.before).updated_at end as updated_at,
              coalesce((j.before).version, 0) + w.written as version
       from judged j
       cross join lateral (select ${kilowatts("(j.after).unit")} as kilowatts_per_unit) u
       cross join lateral (
         select (j.kept_id is null and j.result in ('created', 'updated'))::int as written
       ) w
     ), inserted as (
       insert into ${table("site")} as s (organisation_id, kilowatts_per_unit, ${siteTable.inserted.join(", ")})
       select $1::uuid, t.kilowatts_per_unit, ${siteTable.inserted.map((column) => `t.${column}`).join(", ")}
       from target t
       where t.result = 'created' and t.kept_id is null and not $4::text::boolean
       order by t.external_id, t.id
       returning s.id
     ), updated as (
       update ${table("site")} s
       set updated_at = t.updated_at, version = t.version,
           kilowatts_per_unit = t.kilowatts_per_unit,
           ${settable.map((column) => `${column} = t.${column}`).join(", ")}
       from target t
       where s.organisation_id = $1::uuid and s.id = t.id and t.result = 'updated' and not $4::text::boolean
       returning s.id
     ), ${writeEvents(
       {
         type: "site.created",
         from: `target t join inserted x on x.id = t.id cross join ${originFrom("$5", "o")}`,
         origin: "o",
         number: "t.position + 1",
         ...siteEvent(null, "t")
       },
       {
         type: "site.updated",
         from: `target t join updated x on x.id = t.id and t.result = 'updated' cross join ${originFrom("$5", "o")}`,
         origin: "o",
         number: "t.position + 1",
         ...siteEvent("(t.before)", "t")
       }
     )}
     ${mainQuery} select json_build_object(
       'organisationFound', exists (select from ${table("organisation")} o where o.id = $1::uuid),
       'unplaced', coalesce(r.unplaced, '[]'), 'incomplete', coalesce(r.incomplete, '[]'), 'missing', coalesce(r.missing, '[]'),
       'taken', coalesce(r.taken, '[]'), 'areTooLarge', r.too_large,
       'results', (select json_agg(t.result order by t.position) from target t),
       'sites', (select ${siteTable.rows("t", "order by t.position")}::json from target t)
     )::text, ${writtenTypes}
     from refused r`
  )
}

/** A new site without the members that the statement sets. */
const freshOf = ({ createdAt: _created, updatedAt: _updated, version: _version, ...site }: Site): string =>
  siteTable.newInput(site)

const inputOf = ({ changes, site }: SiteSave, position: number): string => {
  const externalId = changes === null ? site.externalId : changes.externalId
  const key = JSON.stringify({ position, id: site?.id ?? null, external_id: externalId })
  const fresh = site === null ? "null" : freshOf(site)
  return `${key.slice(0, -1)},"fresh":${fresh},"changes":${changes === null ? "null" : siteTable.input(changes)}}`
}

const nothingFound: Omit<SavedSites, "saved"> = {
  organisationFound: false,
  unplaced: [],
  incomplete: [],
  missing: [],
  taken: [],
  areTooLarge: false
}

export const makeSaveMany = (client: PgClient["Service"]): SiteRepository["Service"]["saveMany"] => {
  const save = saving(client)
  return Effect.fnUntraced(function* (reach, saves, { at, dryRun, origin }) {
    const { organisationId } = reachParts(reach)
    const input = `[${saves.map(inputOf).join(",")}]`
    const bytes = yield* MaximumPageBytes
    const statement = save(
      reach,
      input,
      toMilliseconds(at),
      String(dryRun),
      originParameter(origin),
      bytes,
      reachParameter(reach)
    ).pipe(retriedOn("site_external_id", "site_pkey"))
    const answer = yield* Effect.catchIf(statement, violates("site_organisation"), () => Effect.succeed(null))
    if (answer === null) return { ...nothingFound, saved: [] }
    const { organisationFound, results, sites, ...found } = answer
    const read = siteTable.reader({ organisationId })
    return {
      ...found,
      // A statement that has written sites sees an organisation that was stored after it began.
      organisationFound: organisationFound || (!dryRun && sites !== null),
      saved: (sites ?? []).map((row, index): SavedSite => {
        const result = results?.[index] ?? "unchanged"
        if (result !== "outside") return { result, site: read(row) }
        const created = saves[index]?.site ?? null
        if (created === null) throw new Error("A site that was created before is not among the saves.")
        return { result: "created", site: created }
      })
    }
  })
}
