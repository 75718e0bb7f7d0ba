/** The language of the last login of a user, for mails that no request causes. Null of users of before. */
export const sql = (schema: string): string => `
alter table ${schema}.console_user add column language text collate "C"
  constraint console_user_language check (char_length(language) between 2 and 10);
`
