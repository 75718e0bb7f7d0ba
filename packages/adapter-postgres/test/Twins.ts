/**
 * Gives each organisation a twin that holds the same ids. A statement that forgets its organisation
 * then reads two records where it expects one, fails because it changes a record of the twin, or
 * locks one.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, type Scope } from "effect"

/** Their unique values are of the whole database, or they are no records of organisations. */
const withoutTwins = ["api_key", "migration"]

/**
 * Triggers of a schema. Twins have ids that begin with `fade`, versions of their own, and
 * events of another day.
 */
const twinsSql = (schema: string): string => `
create function ${schema}.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of %: a record of another organisation', tg_op, tg_table_name;
end $$;

create function ${schema}.locked_twins() returns setof text language plpgsql as $$
declare
  found record;
begin
  for found in
    select event_object_table as name, case event_object_table when 'organisation' then 'id' else 'organisation_id' end as key
    from information_schema.triggers
    where '"' || trigger_schema || '"' = '${schema}' and trigger_name = 'keep_twin' and event_manipulation = 'INSERT'
  loop
    return query execute format('select %L::text from ${schema}.%I where %I::text like ''fade%%'' and xmax <> 0 limit 1',
      found.name, found.name, found.key);
  end loop;
end $$;

set local allow_system_table_mods = on;

do $$
declare found record;
begin
  for found in
    select table_name as name, key, string_agg(quote_ident(column_name), ', ') as columns,
      string_agg(case column_name
        when key then format('(''fade'' || substr(%I::text, 5))::uuid', key)
        when 'version' then 'version + 1000'
        when 'occurred_at' then 'occurred_at + interval ''1 day'''
        else quote_ident(column_name) end, ', ') as copies
    from information_schema.columns join information_schema.tables using (table_schema, table_name),
      lateral (select case table_name when 'organisation' then 'id' else 'organisation_id' end as key) k
    where '"' || table_schema || '"' = '${schema}' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and table_name not in ('${withoutTwins.join("', '")}')
    group by table_name, key
    having bool_or(column_name = key)
  loop
    execute format('create function ${schema}.copy_%1$s() returns trigger language plpgsql as $copy$
      begin
        insert into ${schema}.%1$I (%2$s) select %3$s from inserted on conflict do nothing;
        return null;
      end $copy$', found.name, found.columns, found.copies);
    execute format('create trigger keep_twin after insert on ${schema}.%1$I referencing new table as inserted
      for each statement when (pg_trigger_depth() = 0) execute function ${schema}.copy_%1$s()', found.name);
    execute format('create trigger refuse_change after update or delete on ${schema}.%I
      for each row when (old.%I::text like ''fade%%'') execute function ${schema}.refuse_change()', found.name, found.key);
    -- Foreign keys do not check copies, since a check locks the record that a copy refers to. A session as
    -- a replica checks none either, but each change of that setting makes the server plan all statements again.
    execute format('create trigger of_originals after insert or update on ${schema}.%I
      for each row when (new.%I::text not like ''fade%%'') execute function ${schema}.refuse_change()', found.name, found.key);
    update pg_trigger t set tgqual = o.tgqual from pg_trigger o
    where o.tgrelid = format('${schema}.%I', found.name)::regclass and o.tgname = 'of_originals' and t.tgrelid = o.tgrelid
      and t.tgfoid in ('"RI_FKey_check_ins"'::regproc, '"RI_FKey_check_upd"'::regproc);
    execute format('drop trigger of_originals on ${schema}.%I', found.name);
  end loop;
end $$`

/** Installs the twins in the schema of the client. Dies at the end of the scope when one was locked. */
export const keepTwins: Effect.Effect<void, unknown, PgClient | Scope.Scope> = Effect.gen(function* () {
  const { run, schema } = yield* PgClient
  yield* run({ operation: "twins", text: twinsSql(schema) })
  yield* Effect.addFinalizer(() =>
    Effect.map(run({ operation: "twins", text: `select * from ${schema}.locked_twins()` }), (tables) => {
      if (tables.length > 0) throw new Error(`records of another organisation were locked: ${tables.flat().join()}`)
    }).pipe(Effect.orDie)
  )
})
