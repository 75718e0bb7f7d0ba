/**
 * Functions that execute statements of the adapter on Citus (docs/decisions/0042).
 *
 * The placeholders `%1$s`, `%2$s` and so on of a statement stand for its `tables`. Each row of its
 * answer is returned as a JSON array. A call is the only statement of its message: Citus sends no
 * nested call to a worker.
 */
import { quoteText } from "../client/PgSchema.ts"
import { coordinatorName, referenceTables } from "./Tables.ts"

// No statement has more parameters.
const parameters = Array.from({ length: 30 }, (_, index) => `parameters[${index + 1}]`).join(", ")

/** Executes `statement` and returns its rows. */
const execution = (names: string): string => `
  for answer in execute format(statement, variadic ${names}) using ${parameters} loop
    return next (select json_agg(v.value) from json_each(row_to_json(answer)) v)::text;
  end loop;`

/** SQL of the names of the tables on this node, given the id of a shard of `portfolio`. */
const shardNames = (schema: string, shard: string): string => `(
    select array_agg(format('%I.%I', n.nspname, c.relname || '_' || s.shardid) order by t.number)
    from unnest(tables) with ordinality as t (name, number)
    join pg_namespace n on n.oid = ${quoteText(schema)}::regnamespace
    join pg_class c on c.relnamespace = n.oid and c.relname = t.name
    join pg_dist_shard s on s.logicalrelid = c.oid
    where s.shardminvalue is null or s.shardminvalue = (select o.shardminvalue from pg_dist_shard o where o.shardid = ${shard})
  )`

const isLocal = (shard: string): string => `exists (
    select from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid where p.shardid = ${shard}
  )`

// Citus calls it on the node of the shard. The lock on the metadata keeps the shard there until the
// commit.
const onShard = (schema: string): string => `
declare
  shard bigint := get_shard_id_for_distribution_column(${quoteText(`${schema}.portfolio`)}, organisation_id);
  answer record;
begin
  perform ${schema}.lock_shard(shard);
  if not ${isLocal("shard")} then
    raise exception 'the shard of the organisation has moved' using errcode = 'serialization_failure';
  end if;
  ${execution(shardNames(schema, "shard"))}
end
`

// The organisation, which is any on the node, only says where Citus calls it.
const onNode = (schema: string): string => `
declare
  shard bigint;
  answer record;
begin
  for shard in
    select s.shardid from pg_dist_shard s
    where s.logicalrelid = ${quoteText(`${schema}.portfolio`)}::regclass and ${isLocal("s.shardid")}
  loop
    ${execution(shardNames(schema, "shard"))}
  end loop;
end
`

// Almost always each shard has one of the random ids. A node may hold nothing but shards of single
// organisations, of which the random ids are none.
const nodes = (schema: string): string => {
  const portfolio = quoteText(`${schema}.portfolio`)
  const random = `select gen_random_uuid() as id from generate_series(1, 30 * (
        select count(*) from pg_dist_shard s where s.logicalrelid = ${portfolio}::regclass
      ))`
  const onePerNode = (ids: string): string => `
  select array_agg(n.id) into found from (
    select (array_agg(i.id))[1] as id from (
      select o.id, get_shard_id_for_distribution_column(${portfolio}, o.id) as shard from (${ids} offset 0) o
    ) i join pg_dist_placement p on p.shardid = i.shard
    group by p.groupid
  ) n;`
  return `
declare
  found uuid[];
begin
  ${onePerNode(random)}
  if cardinality(found) < (
    select count(distinct p.groupid) from pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid
    where s.logicalrelid = ${portfolio}::regclass
  ) then
    ${onePerNode(`${random} union all select o.id from ${schema}.${coordinatorName("organisation")} o`)}
  end if;
  return query select unnest(found);
end
`
}

// Compares the rows of an organisation, and writes those that differ, each with one statement of
// constants.
const copyRows = `
declare
  names text;
  texts text;
  row_values text;
  change record;
begin
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
         string_agg(quote_ident(a.attname) || '::text', ', ' order by a.attnum)
  into names, texts
  from pg_attribute a where a.attrelid = source and a.attnum > 0 and not a.attisdropped;
  for change in execute format(
    'select coalesce(s.id, t.id) as id, s.row as wanted, t.row as present
     from (select id, array[%1$s] as row from %2$s where %4$I = $1) s
     full join (select id, array[%1$s] as row from %3$s where %4$I = $1) t on t.id = s.id
     where s.row is distinct from t.row', texts, source, target, owner
  ) using organisation_id loop
    row_values := (select string_agg(quote_nullable(w.v), ', ' order by w.n)
      from unnest(change.wanted) with ordinality as w (v, n));
    if change.wanted is null then
      execute format('delete from %s where %I = %L and id = %L', target, owner, organisation_id, change.id);
    elsif change.present is null then
      execute format('insert into %s (%s) values (%s)', target, names, row_values);
    else
      execute format('update %s set (%s) = row(%s) where %I = %L and id = %L',
        target, names, row_values, owner, organisation_id, change.id);
    end if;
  end loop;
end
`

/**
 * Executes a statement on the copies of the coordinator, and writes what it has changed to the
 * reference tables and to the log of events. Statements of one organisation follow each other.
 */
const onCoordinator = (schema: string): string => {
  const table = (name: string) => `${schema}.${name}`
  const copy = (name: string) => table(coordinatorName(name))
  const owners = Object.entries(referenceTables)
  const copies = (from: typeof table, to: typeof table) =>
    owners
      .map(
        ([name, owner]) =>
          `perform ${schema}.copy_rows(${[from(name), to(name), owner].map(quoteText).join(", ")}, organisation_id);`
      )
      .join("\n  ")
  return `
declare
  organisation alias for $1;
  answer record;
  added record;
  stored record;
begin
  perform pg_advisory_xact_lock(hashtextextended(organisation::text, 6));
  ${copies(table, copy)}
  ${execution(`(select array_agg(format('%s.%I', ${quoteText(schema)}, ${quoteText(coordinatorName(""))} || t) order by n) from unnest(tables) with ordinality as u (t, n))`)}
  ${copies(copy, table)}

  select q.last, q.occurred_at into added from ${copy("event_sequence")} q where q.organisation_id = organisation;
  if not found then
    return;
  end if;
  insert into ${table("event_sequence")} (organisation_id, last, occurred_at) values (organisation, 0, '-infinity')
    on conflict do nothing;
  select q.last, q.occurred_at into stored from ${table("event_sequence")} q
    where q.organisation_id = organisation for update;
  if stored.occurred_at < added.occurred_at + interval '1 hour' then
    added.occurred_at := greatest(stored.occurred_at, added.occurred_at);
  end if;
  update ${table("event_sequence")} q set last = stored.last + added.last, occurred_at = added.occurred_at
    where q.organisation_id = organisation;
  -- An update of the copies would meet numbers that are still taken by later events of the same change.
  insert into ${table("event")} select n.* from ${copy("event")} e cross join lateral jsonb_populate_record(
      e, jsonb_build_object('sequence', stored.last + e.sequence, 'occurred_at', added.occurred_at)
    ) n where e.organisation_id = organisation;
  delete from ${copy("event")} e where e.organisation_id = organisation;
  delete from ${copy("event_sequence")} q where q.organisation_id = organisation;
end
`
}

const statementTypes = "statement text, tables text[], parameters text[]"

/** SQL that creates or replaces the functions. */
export const functionsSql = (schema: string): string => {
  const create = (signature: string, returns: string, body: string): string =>
    `create or replace function ${schema}.${signature} returns ${returns} language plpgsql as ${quoteText(body)};`
  return [
    // Only the owner of the tables may lock, which the role of a server is not.
    `create or replace function ${schema}.lock_shard(shard bigint) returns void language sql security definer
set search_path = pg_catalog, pg_temp as 'select lock_shard_metadata(5, array[shard])';`,
    create(`on_shard(organisation_id uuid, ${statementTypes})`, "setof text", onShard(schema)),
    create(`on_node(organisation_id uuid, ${statementTypes})`, "setof text", onNode(schema)),
    create("node_organisations()", "setof uuid", nodes(schema)),
    create("copy_rows(source regclass, target regclass, owner text, organisation_id uuid)", "void", copyRows),
    create(`on_coordinator(organisation_id uuid, ${statementTypes})`, "setof text", onCoordinator(schema))
  ].join("\n")
}
