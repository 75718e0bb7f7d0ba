/**
 * A deactivation deletes sessions before it takes the lock of the event sequence, as all other
 * statements do. After it, it could deadlock with changes of users that end sessions.
 */
export const sql = (schema: string): string => `
create or replace function ${schema}.end_console_sessions() returns trigger language plpgsql as $function$
begin
  delete from ${schema}.console_session where organisation_id = new.id;
  return new;
end
$function$;

drop trigger console_sessions_ended on ${schema}.organisation;
create trigger console_sessions_ended before update of status on ${schema}.organisation
  for each row when (new.status <> 'active') execute function ${schema}.end_console_sessions();
`
