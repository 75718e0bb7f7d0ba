/**
 * External ids of sites and portfolios, tags and attributes of sites.
 *
 * The core checks lengths in characters. An index entry has a bounded number of bytes.
 */
export const sql = (schema: string): string => `
alter table ${schema}.portfolio
  add column external_id text constraint portfolio_external_id_bytes check (octet_length(external_id) <= 800);

alter table ${schema}.site
  add column external_id text constraint site_external_id_bytes check (octet_length(external_id) <= 800),
  add column tags text[] not null default '{}' constraint site_tags check (cardinality(tags) <= 20),
  add column attributes jsonb not null default '{}' constraint site_attributes check (jsonb_typeof(attributes) = 'object');

create unique index portfolio_external_id on ${schema}.portfolio (organisation_id, external_id)
  where external_id is not null;
create unique index site_external_id on ${schema}.site (organisation_id, external_id) where external_id is not null;
`
