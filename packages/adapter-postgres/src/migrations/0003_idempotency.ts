/**
 * Idempotency keys, their requests and their answers.
 *
 * A row holds the result of the last claim of its key: a claim is one statement and returns only what
 * it has written. Without foreign keys, since rows are purged after a day.
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
