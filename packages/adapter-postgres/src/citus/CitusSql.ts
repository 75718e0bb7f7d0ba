/** SQL that distributes the tables over a Citus cluster (docs/decisions/0042). */
import type { RepositoryError } from "@solar-sites/core"
import { Duration, Effect } from "effect"
import { quoteSchema, quoteText } from "../client/PgSchema.ts"
import { type NotAwaitable, notAwaitable } from "../migrations/PgMigrationPromises.ts"
import { PgClient } from "../PgClient.ts"
import { functionsSql } from "./CitusFunctions.ts"
import { coordinatorName, coordinatorTables, distributedTables, referenceTables } from "./Tables.ts"

const names = (values: ReadonlyArray<string>): string => `array[${values.map(quoteText).join(", ")}]::name[]`

/** SQL of the name of the copy of a table of the coordinator, given the name of the table. */
const copyOf = (schema: string, table: string): string =>
  `format('%s.%I', ${quoteText(schema)}, ${quoteText(coordinatorName(""))} || ${table})`

// Statements on shards replace the name of the schema, also within quoted texts.
const check = (schema: string): string => `
  if ${quoteText(schema)} ~ '[%'']' then
    raise exception 'on Citus, the name of the schema must have no apostrophe and no percent sign';
  end if;
  if to_regproc('citus_version') is null then
    raise exception 'the database has no extension citus: create it on the coordinator and on all workers';
  end if;
  if not exists (select from pg_dist_node where groupid = 0) then
    raise exception 'the coordinator is not in the metadata of the cluster: run citus_set_coordinator_host';
  end if;
  if to_regproc(${quoteText(`${schema}.check_records`)}) is null then
    raise exception 'the schema has pending migrations: apply them before its tables are distributed';
  end if;`

// The copies get columns of later migrations.
const copies = (schema: string): string => `
  for item in
    select c.oid::regclass as source, ${copyOf(schema, "c.relname")} as target, c.relname = any (reference) as filled
    from pg_class c where c.relnamespace = here and c.relname = any (${names(coordinatorTables)})
  loop
    if to_regclass(item.target) is null then
      execute format('create table %s (like %s including all)', item.target, item.source);
      if item.filled then
        execute format('insert into %s select * from %s', item.target, item.source);
      end if;
    end if;
    for part in
      select a.attname, format_type(a.atttypid, a.atttypmod) as type, pg_get_expr(d.adbin, d.adrelid) as initial
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = item.source and a.attnum > 0 and not a.attisdropped and not exists (
        select from pg_attribute t
        where t.attrelid = to_regclass(item.target) and t.attname = a.attname and not t.attisdropped
      )
      order by a.attnum
    loop
      execute format('alter table %s add column %I %s default %s', item.target, part.attname, part.type,
        coalesce(part.initial, 'null'));
    end loop;
  end loop;`

// Foreign keys hinder the distribution. Local tables refer to the copies. Citus makes a local table
// anew when it drops its key to a reference table, so tables are named by texts.
const dropKeys = (schema: string): string => `
  for item in
    select k.conname, k.conrelid::regclass::text as referrer, replace(
      pg_get_constraintdef(k.oid), format(' REFERENCES %s(', k.confrelid::regclass),
      format(' REFERENCES %s(', case when r.relnamespace = here and r.relname = any (reference || distributed)
        then k.confrelid::regclass::text else ${copyOf(schema, "t.relname")} end)
    ) as definition
    from pg_constraint k join pg_class r on r.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and t.relnamespace = here and (
      k.conrelid = any (pending) or k.confrelid = any (pending)
      or t.relname = any (reference) and not (r.relnamespace = here and r.relname = any (reference || distributed))
    )
  loop
    execute format('alter table %s drop constraint %I', item.referrer, item.conname);
    keys := keys || format('alter table %s add constraint %I %s', item.referrer, item.conname, item.definition);
  end loop;`

const moveTriggers = (schema: string): string => `
  for item in
    select g.tgname, g.tgrelid::regclass as owner, replace(
      pg_get_triggerdef(g.oid), format(' ON %s ', g.tgrelid::regclass), format(' ON %s ', ${copyOf(schema, "c.relname")})
    ) as definition
    from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where not g.tgisinternal and c.relnamespace = here and c.relname = any (reference)
      and g.tgname not like '%truncate_trigger%'
  loop
    execute format('drop trigger %I on %s', item.tgname, item.owner);
    execute item.definition;
  end loop;`

const first = `${distributedTables[0]}`

const distributeTables = (schema: string): string => `
  for item in
    select c.oid::regclass as name, c.relname from pg_class c where c.oid = any (pending)
    order by array_position(reference || distributed, c.relname)
  loop
    if item.relname = any (reference) then
      perform create_reference_table(item.name);
    else
      perform create_distributed_table(item.name, 'organisation_id', colocate_with :=
        case item.relname when ${quoteText(first)} then 'none' else ${quoteText(`${schema}.${first}`)} end);
    end if;
  end loop;
  foreach key in array keys loop
    execute key;
  end loop;`

const distribution = (schema: string): string => `
declare
  here oid := to_regnamespace(${quoteText(schema)});
  reference constant name[] := ${names(Object.keys(referenceTables))};
  distributed constant name[] := ${names(distributedTables)};
  pending oid[];
  keys text[] := '{}';
  key text;
  item record;
  part record;
begin
  ${check(schema)}
  set local citus.multi_shard_modify_mode = 'sequential';
  select coalesce(array_agg(c.oid), '{}') into pending
  from pg_class c where c.relnamespace = here and c.relname = any (reference || distributed)
    and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid);
  ${copies(schema)}
  ${dropKeys(schema)}
  ${moveTriggers(schema)}
  ${distributeTables(schema)}
end
`

// A function is propagated when it is replaced, once it is known to the workers.
const propagation = (schema: string): string => `
declare
  item record;
begin
  for item in
    select f.name::regprocedure as name, f.argument
    from (values
      (${quoteText(`${schema}.on_shard(uuid, text, text[], text[])`)}, '$1'),
      (${quoteText(`${schema}.on_node(uuid, text, text[], text[])`)}, '$1'),
      (${quoteText(`${schema}.lock_shard(bigint)`)}, null),
      (${quoteText(`${schema}.check_documents(text, text, uuid, uuid[])`)}, null),
      (${quoteText(`${schema}.check_records(text, uuid, uuid[], timestamptz, text)`)}, null)
    ) as f (name, argument)
    where not exists (
      select from pg_dist_object o
      where o.classid = 'pg_proc'::regclass and o.objid = f.name::regprocedure
        and (f.argument is null or o.distribution_argument_index is not null)
    )
  loop
    if item.argument is null then
      perform create_distributed_function(item.name);
    else
      perform create_distributed_function(item.name, item.argument, colocate_with := ${quoteText(`${schema}.${first}`)});
    end if;
  end loop;
end
`

const distributionSql = (schema: string): string =>
  [
    "set local statement_timeout = 0;",
    `do ${quoteText(distribution(schema))};`,
    functionsSql(schema),
    `do ${quoteText(propagation(schema))};`
  ].join("\n")

/**
 * SQL that distributes the tables of the schema (default `solar`) over the Citus cluster of the
 * coordinator that executes it. It is one transaction. Run it after the migrations, and again after
 * new ones: distributed tables stay. Stop the clients before, since they look for Citus once.
 */
export const citusSql = (schema = "solar"): string => `begin;\n${distributionSql(quoteSchema(schema))}\ncommit;\n`

// The rows of existing tables are copied.
const timeout = Duration.minutes(30)

/** Executes `citusSql`, and returns the names of the tables that this call distributed. */
export const distribute: NotAwaitable<ReadonlyArray<string>, RepositoryError, PgClient> = notAwaitable(
  "distribute",
  Effect.gen(function* () {
    const { run, schema } = yield* PgClient
    const added = `select c.relname from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where p.xmin = pg_current_xact_id()::xid and c.relnamespace = ${quoteText(schema)}::regnamespace order by c.relname`
    const answers = yield* run({ operation: "distribute", text: `${distributionSql(schema)}\n${added}`, timeout })
    // The last answer is that of the last statement.
    return [answers.at(-1)].flat(2).map(String)
  })
)
