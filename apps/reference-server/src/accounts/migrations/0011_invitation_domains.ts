/**
 * The domain of an invited address, in the form of `console_login_domain`. Instances of the previous
 * version store none; addresses with other letters than ASCII have none until they are invited again.
 */
export const sql = (schema: string): string => `
alter table ${schema}.console_link add column domain text collate "C";

update ${schema}.console_link set domain = lower(substring(email from '[^@]*$')) where purpose = 'invitation';
`
