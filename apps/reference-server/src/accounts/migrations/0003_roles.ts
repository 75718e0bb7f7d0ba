/**
 * Roles of users, ids of deleted users, settings of organisations, and what a list of sessions
 * shows. Instances of the previous version keep working: new columns have defaults.
 */
export const sql = (schema: string): string => `
alter table ${schema}.console_user add column role text collate "C" not null default 'owner'
  constraint console_user_role check (role in ('owner', 'admin', 'member', 'viewer'));

-- API keys of these users are invalid, also those created while the user was deleted.
create table ${schema}.console_deleted_user (
  organisation_id uuid not null,
  id uuid not null,
  deleted_at timestamptz not null,
  primary key (organisation_id, id),
  constraint console_deleted_user_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);

-- An organisation without a row has the defaults.
create table ${schema}.console_organisation (
  organisation_id uuid not null primary key,
  require_second_factor boolean not null default false,
  constraint console_organisation_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);

-- used_at is null until the first use after creation; exact to a minute.
alter table ${schema}.console_session
  add column id uuid not null default gen_random_uuid(),
  add column method text collate "C" not null default 'password'
    constraint console_session_method check (method in ('password', 'oidc', 'link')),
  add column user_agent text,
  add column used_at timestamptz,
  add constraint console_session_id unique (organisation_id, user_id, id);
`
