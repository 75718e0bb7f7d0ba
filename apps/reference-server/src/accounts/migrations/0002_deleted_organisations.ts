/**
 * Deletion of an organisation deletes its users and their sessions.
 */
export const sql = (schema: string): string => `
alter table ${schema}.console_user drop constraint console_user_organisation;
alter table ${schema}.console_user add constraint console_user_organisation
  foreign key (organisation_id) references ${schema}.organisation (id) on delete cascade;
`
