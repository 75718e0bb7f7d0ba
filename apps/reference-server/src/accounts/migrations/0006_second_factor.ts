/** Second factors of users. Instances of the previous version ignore them: upgrade all of them first. */
export const sql = (schema: string): string => `
create table ${schema}.console_second_factor (
  organisation_id uuid not null,
  user_id uuid not null,
  secret bytea not null,
  -- Null until a first code has confirmed the secret.
  enabled_at timestamptz,
  -- Step of the last used code: neither it nor an earlier one is accepted again.
  last_step bigint not null default 0,
  -- Digests of the unused recovery codes.
  recovery_codes bytea[] not null default '{}',
  primary key (organisation_id, user_id),
  constraint console_second_factor_user foreign key (organisation_id, user_id)
    references ${schema}.console_user (organisation_id, id) on delete cascade
);
`
