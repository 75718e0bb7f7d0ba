/**
 * Documents, and the files to delete after documents are deleted.
 *
 * A trigger lists the file of each deleted document. The statement that deletes a site cannot do so:
 * it does not see documents that are committed meanwhile.
 */
import { quoteText } from "../client/PgSchema.ts"

const listing = (schema: string): string => `
begin
  insert into ${schema}.deleted_file (organisation_id, site_id, document_id, address_expires_at)
  select organisation_id, site_id, id, address_expires_at from gone
  on conflict (organisation_id, site_id, document_id) do update
  set address_expires_at = greatest(deleted_file.address_expires_at, excluded.address_expires_at),
      due_at = excluded.due_at;
  return null;
end
`

export const sql = (schema: string): string => `
-- What was declared is kept apart, for a new upload of a failed document. Due for a look is what is pending, and nothing else.
create table ${schema}.document (
  organisation_id uuid not null,
  id uuid not null,
  site_id uuid not null,
  type text not null,
  document_type text,
  filename text not null,
  status text not null check (status in ('pending', 'uploaded', 'failed', 'approved', 'completed')),
  mime_type text not null,
  size_bytes bigint check (size_bytes >= 0),
  declared_bytes bigint check (declared_bytes >= 0),
  uploaded_by text,
  om_record_id text,
  failure_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null check (version >= 1),
  address_expires_at timestamptz not null,
  look_at timestamptz,
  primary key (organisation_id, id),
  constraint document_site foreign key (organisation_id, site_id)
    references ${schema}.site (organisation_id, id) on delete cascade,
  constraint document_look check ((status = 'pending') = (look_at is not null))
);

create index document_by_site on ${schema}.document (organisation_id, site_id, id);
create index document_by_om_record on ${schema}.document (organisation_id, om_record_id, id)
  where om_record_id is not null;

-- The two indexes for the sweeper do not begin with the organisation, for it works for all of them.
create index document_due on ${schema}.document (look_at) where look_at is not null;

-- Without any reference: a file outlives all that it belonged to. Whatever the clock of the server says, it is due at once.
create table ${schema}.deleted_file (
  organisation_id uuid not null,
  site_id uuid not null,
  document_id uuid not null,
  address_expires_at timestamptz not null,
  due_at timestamptz not null default '-infinity',
  primary key (organisation_id, site_id, document_id)
);

create index deleted_file_due on ${schema}.deleted_file (due_at);

create function ${schema}.list_deleted_files() returns trigger language plpgsql as ${quoteText(listing(schema))};

create trigger document_deleted after delete on ${schema}.document
  referencing old table as gone
  for each statement execute function ${schema}.list_deleted_files();
`
