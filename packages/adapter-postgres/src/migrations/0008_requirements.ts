/**
 * The documents that sites need.
 *
 * A list goes with its organisation: it is no record that a deletion would have to remove first.
 * Positions order the entries and can have gaps.
 *
 * Coverage is computed from an index that holds all columns it needs, pending documents included
 * (docs/decisions/0026).
 */
export const sql = (schema: string): string => `
create table ${schema}.requirement_list (
  organisation_id uuid primary key,
  version integer not null check (version >= 1),
  updated_at timestamptz not null,
  constraint requirement_list_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);

create table ${schema}.requirement (
  organisation_id uuid not null,
  position integer not null,
  document_type text not null,
  portfolio_id uuid,
  validity_required boolean not null,
  expiring_within_days integer not null check (expiring_within_days between 1 and 365),
  primary key (organisation_id, position),
  constraint requirement_of_list foreign key (organisation_id)
    references ${schema}.requirement_list (organisation_id) on delete cascade,
  constraint requirement_portfolio foreign key (organisation_id, portfolio_id)
    references ${schema}.portfolio (organisation_id, id)
);

drop index ${schema}.document_current;
create index document_coverage on ${schema}.document (organisation_id, site_id, document_type)
  include (id, status, valid_from, valid_until)
  where document_type is not null and replaced_by is null and status <> 'failed';
`
