/**
 * Imports of sites by users of the console, so that an interrupted one can be continued on every
 * server. The user has no foreign key: an import outlives its user.
 */
export const sql = (schema: string): string => `
create table ${schema}.console_site_import (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  file_name text not null,
  -- Mappings and mode, with which an interrupted import is continued.
  options jsonb not null,
  -- Digest of the content and the options. Another import cannot have the same id.
  fingerprint text collate "C" not null,
  -- Ids of new sites derive from it.
  seed uuid not null,
  -- Counts attempts. An attempt ends when a later one has begun.
  attempt integer not null,
  state text collate "C" not null
    constraint console_site_import_state check (state in ('running', 'completed', 'failed')),
  problem text,
  checked_row integer not null,
  stored_row integer not null,
  created integer not null,
  updated integer not null,
  unchanged integer not null,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organisation_id, id),
  constraint console_site_import_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);

create index console_site_import_order on ${schema}.console_site_import (organisation_id, started_at desc);
`
