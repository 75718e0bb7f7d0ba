/**
 * Deliveries are found by their ids alone. The maximum of webhooks is judged behind the lock of the log of events,
 * as that of API keys, so a webhook needs no slot. Older instances still use one.
 */
export const sql = (schema: string): string => `
create unique index webhook_delivery_id on ${schema}.webhook_delivery (organisation_id, id);

alter table ${schema}.webhook alter column slot drop not null;
`
