/** Incomplete imports of organisations, with the digest of the archive. */
export const sql = (schema: string): string => `
create table ${schema}.console_import (
  organisation_id uuid not null primary key,
  digest text collate "C" not null,
  started_at timestamptz not null,
  constraint console_import_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);
`
