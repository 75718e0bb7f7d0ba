/**
 * Sessions and identities have ids within their organisation, by which they are changed. Instances of the previous
 * version store identities without an id, which the default gives them.
 */
export const sql = (schema: string): string => `
create unique index console_session_of_id on ${schema}.console_session (organisation_id, id);

alter table ${schema}.console_identity add column id uuid not null default gen_random_uuid();
create unique index console_identity_of_id on ${schema}.console_identity (organisation_id, id);
`
