/**
 * Limits of API keys to portfolios. Null is no limit: keys from before this migration keep working. Deleted portfolios
 * stay in the lists and count as absent, so that a deletion does not write keys.
 */
export const sql = (schema: string): string => `
alter table ${schema}.api_key add column portfolio_ids uuid[];
`
