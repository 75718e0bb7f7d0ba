/** Documents of a status, by update and by their last day: an organisation may have a million of them. */
export const sql = (schema: string): string => `
create index document_by_status on ${schema}.document (organisation_id, status, id);
create index document_by_update on ${schema}.document (organisation_id, updated_at, id);
create index document_by_validity on ${schema}.document (organisation_id, valid_until, id);
`
