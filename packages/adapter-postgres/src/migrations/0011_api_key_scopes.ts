/**
 * Scopes of API keys. Null means all, also scopes of later versions: keys from before this migration
 * keep working.
 */
export const sql = (schema: string): string => `
alter table ${schema}.api_key add column scopes text[];
`
