/**
 * Metadata, validity and revisions of documents.
 *
 * `replaces` and `replaced_by` have no foreign keys: the statement that removes a document from its
 * chain joins its neighbours. `replacement_requests` counts the documents that have named this one
 * in `replaces`. A statement that looks for them compares the count before and after it locks the
 * row, so that it misses none that was committed meanwhile.
 */
export const sql = (schema: string): string => `
alter table ${schema}.document
  add column note text constraint document_note check (char_length(note) <= 2000),
  add column valid_from date,
  add column valid_until date,
  add column replaces uuid,
  add column replaced_by uuid,
  add column replacement_requests integer not null default 0,
  add constraint document_validity check (valid_until >= valid_from);

create index document_by_replaced on ${schema}.document (organisation_id, replaces) where replaces is not null;

-- The current documents of a site by type, for coverage.
create index document_current on ${schema}.document (organisation_id, site_id, document_type)
  include (id, valid_from, valid_until)
  where replaced_by is null and status in ('uploaded', 'approved', 'completed');
`
