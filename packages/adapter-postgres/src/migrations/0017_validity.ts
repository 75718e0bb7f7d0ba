/**
 * The last days for which the end of validity was announced. An older instance that changes `valid_until` keeps
 * them: the new day differs from them, and is announced.
 */
export const sql = (schema: string): string => `
alter table ${schema}.document add column expiring_announced date, add column expired_announced date;

-- Current documents whose last day was not announced yet, for the events about it.
create index document_expiring on ${schema}.document (organisation_id, valid_until, id) include (document_type)
  where replaced_by is null and status in ('uploaded', 'approved', 'completed')
    and expiring_announced is distinct from valid_until;
create index document_expired on ${schema}.document (organisation_id, valid_until, id)
  where replaced_by is null and status in ('uploaded', 'approved', 'completed')
    and expired_announced is distinct from valid_until;
`
