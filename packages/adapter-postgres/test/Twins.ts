/**
 * Gives each organisation a twin that holds the same ids. A statement that forgets its organisation
 * then reads two records where it expects one, fails because it changes a record of the twin, or
 * locks one.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, type Scope } from "effect"

/** Their unique values are of the whole database, or they are no records of organisations. */
const withoutTwins = ["api_key", "migration"]

/** Triggers of a schema. Twins have ids that begin with `fade`, versions of their own, and
 * events of another day. */
const twinsSql = (schema: string): string => `
-- As a replica, so that no foreign key locks what a copy refers to.
create function ${schema}.keep_twin() returns trigger language plpgsql set session_replication_role = replica as $$
declare
  key text := tg_argv[0];
  owner text := to_jsonb(case tg_op when 'DELETE' then old else new end) ->> key;
begin
  if tg_op <> 'INSERT' then
    if owner like 'fade%' then
      raise exception '% of %: a record of another organisation', tg_op, tg_table_name;
    end if;
    return null;
  end if;
  execute format('insert into %I.%I (%s) select %s from jsonb_populate_record($1, $2) on conflict do nothing',
      tg_table_schema, tg_table_name, tg_argv[1], tg_argv[1])
    using new, jsonb_strip_nulls(jsonb_build_object(
      key, 'fade' || substr(owner, 5), 'version', (to_jsonb(new) ->> 'version')::int + 1000,
      'occurred_at', (to_jsonb(new) ->> 'occurred_at')::timestamptz + interval '1 day'));
  return null;
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

do $$
declare found record;
begin
  for found in
    select table_name as name,
      case table_name when 'organisation' then 'id' else 'organisation_id' end as key,
      string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where '"' || table_schema || '"' = '${schema}' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and table_name not in ('${withoutTwins.join("', '")}')
    group by table_name
    having table_name = 'organisation' or bool_or(column_name = 'organisation_id')
  loop
    execute format('create trigger keep_twin after insert or update or delete on ${schema}.%I
      for each row execute function ${schema}.keep_twin(%L, %L)', found.name, found.key, found.columns);
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
