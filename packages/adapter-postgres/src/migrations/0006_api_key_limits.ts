/**
 * What the maximum of live keys and the rotation of keys need.
 *
 * A statement that inserts a key raises `api_key_inserts` of its organisation, if
 * that is still what it was when the statement counted the keys. Two inserts at
 * once therefore never count the same keys. `issued_until` is the end that a
 * rotated key was made with; without it that is `expires_at`.
 */
export const sql = (schema: string): string => `
alter table ${schema}.organisation add column api_key_inserts integer not null default 0;

alter table ${schema}.api_key add column issued_until timestamptz;
`
