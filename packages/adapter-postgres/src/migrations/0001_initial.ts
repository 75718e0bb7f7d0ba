/**
 * Organisations, portfolios, sites and API keys.
 *
 * Every key, index and foreign key begins with the organisation, so that no statement joins rows of
 * two organisations, and so that it can be a distribution key. The core checks lengths of texts,
 * since it defines a character.
 */
export const sql = (schema: string): string => `
create table ${schema}.organisation (
  id uuid primary key,
  name text not null,
  status text not null check (status in ('active', 'inactive'))
);

create table ${schema}.portfolio (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null check (version >= 1),
  primary key (organisation_id, id),
  constraint portfolio_organisation foreign key (organisation_id) references ${schema}.organisation (id)
);

-- A reference of two columns is not checked while one of them is null, so the organisation has its own.
create table ${schema}.site (
  organisation_id uuid not null,
  id uuid not null,
  portfolio_id uuid,
  site_name text not null,
  address text,
  capacity numeric not null check (capacity > 0),
  unit text not null,
  kilowatts_per_unit numeric not null check (kilowatts_per_unit > 0),
  capacity_kw numeric not null generated always as (capacity * kilowatts_per_unit) stored,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  site_manager jsonb,
  cover_image_url text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null check (version >= 1),
  primary key (organisation_id, id),
  constraint site_organisation foreign key (organisation_id) references ${schema}.organisation (id),
  constraint site_portfolio foreign key (organisation_id, portfolio_id)
    references ${schema}.portfolio (organisation_id, id)
);

create index site_by_portfolio on ${schema}.site (organisation_id, portfolio_id, id) include (capacity_kw);

create table ${schema}.api_key (
  organisation_id uuid not null,
  id uuid not null,
  digest bytea not null constraint api_key_digest unique,
  name text not null,
  prefix text not null,
  created_by text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  primary key (organisation_id, id),
  constraint api_key_id unique (id),
  constraint api_key_organisation foreign key (organisation_id) references ${schema}.organisation (id)
);
`
