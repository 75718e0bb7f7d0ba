/**
 * Ended sessions, so that the login page can say why. Only the cookie of a session has its digest.
 * A trigger writes them after the statement that deletes sessions, so it sees the user as that
 * statement leaves it. They are purged after seven days.
 */
export const sql = (schema: string): string => `
create table ${schema}.console_ended_session (
  organisation_id uuid not null,
  digest bytea not null constraint console_ended_session_digest unique,
  reason text collate "C" not null
    constraint console_ended_session_reason check (reason in ('expired', 'idle', 'password', 'removed', 'ended')),
  ended_at timestamptz not null,
  primary key (organisation_id, digest),
  constraint console_ended_session_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);

create index console_ended_session_purge on ${schema}.console_ended_session (ended_at);

create function ${schema}.record_ended_session() returns trigger language plpgsql as $function$
begin
  insert into ${schema}.console_ended_session (organisation_id, digest, reason, ended_at)
  select o.id, old.digest, case
      when u.id is null then 'removed'
      when u.password_version <> old.password_version then 'password'
      when old.ends_at > now() then 'ended'
      when old.ends_at >= old.expires_at then 'expired'
      else 'idle'
    end, least(old.ends_at, now())
  from ${schema}.organisation o left join ${schema}.console_user u
    on u.organisation_id = o.id and u.id = old.user_id
  where o.id = old.organisation_id
  on conflict do nothing;
  return null;
end
$function$;

create trigger console_session_recorded after delete on ${schema}.console_session
  for each row execute function ${schema}.record_ended_session();
`
