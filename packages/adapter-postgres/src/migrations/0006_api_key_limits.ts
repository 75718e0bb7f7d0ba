/**
 * Columns for the maximum of live keys and for the rotation of keys.
 *
 * A statement that inserts a key increments `api_key_inserts` of its organisation, provided that it
 * has not changed since the keys were counted. Concurrent inserts therefore never count the same
 * keys. `issued_until` is the original end of a rotated key; null means `expires_at`.
 */
export const sql = (schema: string): string => `
alter table ${schema}.organisation add column api_key_inserts integer not null default 0;

alter table ${schema}.api_key add column issued_until timestamptz;
`
