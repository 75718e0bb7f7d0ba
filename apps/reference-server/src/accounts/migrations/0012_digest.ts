/**
 * The digest by mail. Users of before, and those that instances of the previous version create, have it weekly from
 * the next due hour on.
 */
export const sql = (schema: string): string => `
-- digest_since is the time of the choice, which counts from the next due hour on.
alter table ${schema}.console_user
  add column digest text collate "C" not null default 'weekly'
    constraint console_user_digest check (digest in ('none', 'weekly', 'daily')),
  add column digest_since timestamptz not null default now();

create index console_user_digests on ${schema}.console_user (organisation_id, id) where digest <> 'none';

-- The last digest of each user. It is recorded before it is handed to the mail server.
create table ${schema}.console_digest (
  organisation_id uuid not null,
  user_id uuid not null,
  -- The day that it was due on.
  due_day date not null,
  -- The first attempt to send it.
  started_at timestamptz not null,
  -- The next attempt, after a failed one. Null once it is sent or given up, and during an attempt.
  retry_at timestamptz,
  -- Signs the link that ends the digests of the user.
  link_key bytea not null,
  primary key (organisation_id, user_id),
  constraint console_digest_user foreign key (organisation_id, user_id)
    references ${schema}.console_user (organisation_id, id) on delete cascade
);

create index console_digest_retry on ${schema}.console_digest (organisation_id, retry_at) where retry_at is not null;
`
