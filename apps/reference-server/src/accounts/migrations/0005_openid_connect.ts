/**
 * Login by OpenID Connect. Two keys do not begin with the organisation: a domain belongs to one
 * organisation, and the provider's name of a user to one user, across all. A pending login belongs
 * to no organisation yet.
 */
export const sql = (schema: string): string => `
-- Null: the user logs in at the provider only.
alter table ${schema}.console_user alter column password_hash drop not null;

-- Domains of e-mail addresses.
create table ${schema}.console_login_domain (
  organisation_id uuid not null,
  domain text collate "C" not null constraint console_login_domain_domain unique,
  primary key (organisation_id, domain),
  constraint console_login_domain_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);

-- Stays when its user is deleted, so that the provider does not create the user again.
create table ${schema}.console_identity (
  organisation_id uuid not null,
  user_id uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  created_at timestamptz not null,
  primary key (organisation_id, user_id, issuer),
  constraint console_identity_subject unique (issuer, subject),
  constraint console_identity_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);

-- Pending logins by the digest of the browser's cookie; deleted by their first use.
create table ${schema}.console_oidc_login (
  digest bytea not null primary key,
  -- Digest of the session that the browser had before.
  replaces text,
  return_to text not null,
  expires_at timestamptz not null
);

create index console_oidc_login_end on ${schema}.console_oidc_login (expires_at);
`
