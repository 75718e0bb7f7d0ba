/**
 * Links that are used once: invitations, new passwords, new e-mail addresses. The digest is that of
 * the token, which alone names a link: it is unique across organisations.
 */
export const sql = (schema: string): string => `
create table ${schema}.console_link (
  organisation_id uuid not null,
  id uuid not null,
  purpose text collate "C" not null constraint console_link_purpose check (purpose in ('invitation', 'reset', 'email')),
  digest bytea not null constraint console_link_digest unique,
  -- Of a reset and a new e-mail address. The link is good for this version of the password.
  user_id uuid,
  password_version integer,
  login text collate "C" not null,
  email text not null,
  -- Of an invitation.
  name text,
  role text collate "C",
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  mailed_at timestamptz,
  primary key (organisation_id, id),
  constraint console_link_subject check (case purpose
    when 'invitation' then user_id is null and role is not null and created_by is not null
    else user_id is not null and password_version is not null end),
  constraint console_link_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade,
  constraint console_link_user foreign key (organisation_id, user_id)
    references ${schema}.console_user (organisation_id, id) on delete cascade
);

-- A newer link replaces the older one.
create unique index console_link_invited on ${schema}.console_link (organisation_id, login) where purpose = 'invitation';
create unique index console_link_of_user on ${schema}.console_link (organisation_id, user_id, purpose)
  where purpose <> 'invitation';
create index console_link_end on ${schema}.console_link (expires_at);
`
