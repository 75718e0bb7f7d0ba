/**
 * Limits of the storage of one organisation.
 *
 * The checks limit the bytes of a row to what the core accepts, so that a number of rows is a number
 * of bytes for the sweeper, which reads the documents of all organisations. Earlier versions accepted
 * media types of any length; longer ones become the type of unknown files.
 */
import { quoteText } from "../client/PgSchema.ts"

// The lock comes after all others, so that statements do not deadlock. The count is a statement of its
// own and sees rows that were committed while it waited for the lock.
const checking = (schema: string, owners: string): string => `
declare
  owner uuid;
begin
  for owner in ${owners} loop
    perform pg_advisory_xact_lock(hashtextextended(owner::text, 5));
    if 10000 < (select count(*) from (
      select from ${schema}.document d where d.organisation_id = owner and d.look_at is not null limit 10001
    ) x) then
      raise exception 'too many pending documents'
        using errcode = 'check_violation', constraint = 'document_pending_maximum';
    end if;
  end loop;
  return null;
end
`

const functionOf = (name: string, body: string): string =>
  `create function ${name}() returns trigger language plpgsql as ${quoteText(body)};`

export const sql = (schema: string): string => `
update ${schema}.document set mime_type = 'application/octet-stream' where octet_length(mime_type) > 255;
update ${schema}.document set failure_reason = left(failure_reason, 500) where char_length(failure_reason) > 500;

alter table ${schema}.document
  add constraint document_mime_type check (octet_length(mime_type) <= 255),
  add constraint document_filename check (octet_length(filename) <= 255),
  add constraint document_uploaded_by check (octet_length(uploaded_by) <= 800),
  add constraint document_om_record_id check (octet_length(om_record_id) <= 800),
  add constraint document_failure_reason check (octet_length(failure_reason) <= 2000);

-- What is due is claimed organisation by organisation.
drop index ${schema}.document_due;
create index document_due on ${schema}.document (organisation_id, look_at) where look_at is not null;
drop index ${schema}.deleted_file_due;
create index deleted_file_due on ${schema}.deleted_file (organisation_id, due_at);

-- An organisation has at most 10,000 pending documents.
${functionOf(
  `${schema}.check_inserted_pending`,
  checking(schema, "select distinct organisation_id from added where look_at is not null")
)}
${functionOf(`${schema}.check_reopened_pending`, checking(schema, "select new.organisation_id"))}

create trigger document_pending_inserted after insert on ${schema}.document
  referencing new table as added
  for each statement execute function ${schema}.check_inserted_pending();
create trigger document_pending_reopened after update of look_at on ${schema}.document
  for each row when (old.look_at is null and new.look_at is not null)
  execute function ${schema}.check_reopened_pending();

-- An answer that is too long is given up: its request may run again, and makes the same records.
update ${schema}.idempotency set answer = null, lease_until = '-infinity' where octet_length(answer) > 65536;
alter table ${schema}.idempotency add constraint idempotency_answer check (octet_length(answer) <= 65536);
`
