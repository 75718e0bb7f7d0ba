/**
 * Claims of files, so that deletions and new upload addresses exclude each other.
 *
 * A listed file is claimed before it is deleted. A document with a rejected file gets a new upload
 * address only under such a claim. A trigger refuses new documents with a listed path: an insert does
 * not see files that were listed after it began (docs/decisions/0015).
 */
import { quoteText } from "../client/PgSchema.ts"

const refusing = (schema: string): string => `
begin
  if exists (
    select from fresh d join ${schema}.deleted_file f using (organisation_id, site_id)
    where f.document_id = d.id
  ) then
    raise exception 'a path that is listed for deletion takes no new document'
      using errcode = 'integrity_constraint_violation', constraint = 'document_file_deleted';
  end if;
  return null;
end
`

export const sql = (schema: string): string => `
-- The reason is the one that the sweeper has given to documents for which nothing arrived; theirs was not refused.
alter table ${schema}.document add column refused boolean not null default false;
update ${schema}.document set refused = true
  where status = 'failed' and failure_reason is distinct from 'nothing arrived before the upload address lapsed';
alter table ${schema}.document add constraint document_refused check (status = 'failed' or not refused);

alter table ${schema}.deleted_file add column claimed_until timestamptz;

create function ${schema}.refuse_listed_paths() returns trigger language plpgsql as ${quoteText(refusing(schema))};

create trigger document_inserted after insert on ${schema}.document
  referencing new table as fresh
  for each statement execute function ${schema}.refuse_listed_paths();
`
