/** Sites by position: maps count the sites of an organisation, and of a section, from this index alone. */
export const sql = (schema: string): string => `
create index site_position on ${schema}.site (organisation_id, longitude, latitude, id);
`
