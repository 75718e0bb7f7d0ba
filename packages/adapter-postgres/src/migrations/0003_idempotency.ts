/**
 * The requests that came with an idempotency key, and their answers.
 *
 * What the last claim of a key came to stands in its row, for a claim is one
 * statement and can tell its caller nothing but what it has written. There is no
 * reference to anything: the rows are forgotten after a day.
 */
export const sql = (schema: string): string => `
create table ${schema}.idempotency (
  organisation_id uuid not null,
  key text collate "C" not null,
  fingerprint text not null,
  seed uuid not null,
  lease_until timestamptz not null,
  expires_at timestamptz not null,
  last_claim text not null check (last_claim in ('Claimed', 'Answered', 'InUse', 'Reused')),
  answer text,
  primary key (organisation_id, key)
);

create index idempotency_expiry on ${schema}.idempotency (organisation_id, expires_at);
`
