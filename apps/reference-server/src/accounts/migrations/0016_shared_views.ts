/** Views of lists that the users of an organisation share. */
export const sql = (schema: string): string => `
alter table ${schema}.console_organisation add column views jsonb not null default '[]'
  constraint console_organisation_views check (jsonb_typeof(views) = 'array');
`
