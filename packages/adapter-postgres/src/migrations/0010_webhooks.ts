/**
 * Webhooks and their deliveries.
 *
 * A webhook occupies one of twenty slots of its organisation, so that concurrent inserts never
 * exceed the maximum. `dispatched_sequence` is the last event it has deliveries of. `secrets` are
 * objects of `secret` and `until` in milliseconds, the newest first. `failing_since` is the first
 * failed attempt after the last success.
 *
 * While a delivery is claimed, `next_attempt_at` is the end of the claim. `event_sequence` is null
 * for a test. `at` is the instant of the last attempt, before the first that of the creation.
 */
export const sql = (schema: string): string => `
create table ${schema}.webhook (
  organisation_id uuid not null,
  id uuid not null,
  slot smallint not null check (slot between 1 and 20),
  url text not null check (octet_length(url) <= 8192),
  events jsonb not null,
  description text,
  enabled boolean not null,
  secrets jsonb not null,
  dispatched_sequence bigint not null,
  failing_since timestamptz,
  claimed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null check (version >= 1),
  primary key (organisation_id, id),
  constraint webhook_slot unique (organisation_id, slot),
  constraint webhook_organisation foreign key (organisation_id) references ${schema}.organisation (id)
);

create table ${schema}.webhook_delivery (
  organisation_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  event_sequence bigint,
  event_id uuid not null,
  type text not null,
  attempt integer not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  response_status integer,
  error text,
  created_at timestamptz not null,
  at timestamptz not null,
  next_attempt_at timestamptz check ((next_attempt_at is not null) = (status = 'pending')),
  claimed_until timestamptz,
  primary key (organisation_id, webhook_id, id),
  constraint webhook_delivery_webhook foreign key (organisation_id, webhook_id)
    references ${schema}.webhook (organisation_id, id) on delete cascade
);

create index webhook_delivery_at on ${schema}.webhook_delivery (organisation_id, webhook_id, at);
create index webhook_delivery_pending on ${schema}.webhook_delivery (organisation_id, webhook_id, next_attempt_at)
  include (created_at) where status = 'pending';
`
