/** Deleted sites by their last portfolio: callers that are limited to it see their events. */
export const sql = (schema: string): string => `
create index event_by_last_portfolio
  on ${schema}.event (organisation_id, (changes #>> '{portfolioId,from}'), subject_id)
  where type = 'site.deleted';
`
