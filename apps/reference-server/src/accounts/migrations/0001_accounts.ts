/**
 * Users and their sessions. Keys and references begin with the organisation, with
 * two exceptions: a login does not name an organisation, so `login` is unique
 * across all; and a request carries only the token of its session.
 */
export const sql = (schema: string): string => `
create table ${schema}.console_user (
  organisation_id uuid not null,
  id uuid not null,
  login text collate "C" not null constraint console_user_login unique,
  email text not null,
  name text not null,
  password_hash text not null,
  -- Counts changes of the password; a session is good for the one it was made with.
  password_version integer not null check (password_version >= 1),
  created_at timestamptz not null,
  primary key (organisation_id, id),
  constraint console_user_id unique (id),
  constraint console_user_organisation foreign key (organisation_id) references ${schema}.organisation (id)
);

-- A session ends at ends_at, which moves with its use and never beyond expires_at.
create table ${schema}.console_session (
  organisation_id uuid not null,
  user_id uuid not null,
  digest bytea not null constraint console_session_digest unique,
  password_version integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (organisation_id, user_id, digest),
  constraint console_session_user foreign key (organisation_id, user_id)
    references ${schema}.console_user (organisation_id, id) on delete cascade
);

create index console_session_end on ${schema}.console_session (ends_at);

-- Whoever deactivates an organisation, and however: its sessions do not come back with it.
create function ${schema}.end_console_sessions() returns trigger language plpgsql as $function$
begin
  delete from ${schema}.console_session where organisation_id = new.id;
  return null;
end
$function$;

create trigger console_sessions_ended after update of status on ${schema}.organisation
  for each row when (new.status <> 'active') execute function ${schema}.end_console_sessions();
`
