/**
 * Bounds of what one organisation can store.
 *
 * The sweeper reads the documents of all organisations. The checks bound a row,
 * in bytes, by what the core accepts, so that a number of rows is a number of
 * bytes. Media types of any length were accepted before: a longer one becomes the
 * type that stands for an unknown one.
 */
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
`
