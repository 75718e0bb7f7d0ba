/**
 * Limits of users and invitations to portfolios. Null is no limit. Deleted portfolios stay in the lists and count as
 * absent. An owner is never limited; instances of the previous version, which know no limits, fail to make one.
 */
export const sql = (schema: string): string => `
alter table ${schema}.console_user
  add column portfolio_ids uuid[],
  add constraint console_user_unlimited_owner check (role <> 'owner' or portfolio_ids is null);

alter table ${schema}.console_link add column portfolio_ids uuid[];
`
