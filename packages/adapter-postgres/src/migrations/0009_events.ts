/**
 * The log of events, written by the statements that change records (docs/decisions/0027).
 *
 * Neither table references another one: an event outlives its subject, and a reference to the
 * organisation would cost each write a lock.
 */
export const sql = (schema: string): string => `
-- The last sequence of each organisation. Its row is the last lock of a statement.
create table ${schema}.event_sequence (
  organisation_id uuid primary key,
  last bigint not null,
  occurred_at timestamptz not null
);

create table ${schema}.event (
  organisation_id uuid not null,
  sequence bigint not null,
  id uuid not null,
  type text not null,
  occurred_at timestamptz not null,
  user_id text,
  api_key_id uuid,
  key_prefix text,
  subject_id uuid not null,
  subject_name text,
  site_id uuid,
  changes json not null,
  request_id text,
  primary key (organisation_id, sequence)
);

-- Each filter of the feed has an index in the order of the feed. Sites are found by subject.
create index event_by_type on ${schema}.event (organisation_id, type, sequence);
create index event_by_subject on ${schema}.event (organisation_id, subject_id, sequence);
create index event_by_site on ${schema}.event (organisation_id, site_id, sequence) where site_id <> subject_id;
create index event_by_user on ${schema}.event (organisation_id, user_id, sequence) where user_id is not null;
create index event_by_api_key on ${schema}.event (organisation_id, api_key_id, sequence) where api_key_id is not null;

-- The deletion of a site deletes its documents itself, to write their events. Documents that are
-- committed meanwhile make it fail, and it is repeated.
alter table ${schema}.document
  drop constraint document_site,
  add constraint document_site foreign key (organisation_id, site_id) references ${schema}.site (organisation_id, id);
`
