import { PgClient, type PgSql } from "@solar-sites/adapter-postgres"

/** The client, with `around` between it and the driver, for every statement of every port method. */
export const watched = (
  client: PgClient["Service"],
  around: (operation: string, sql: PgSql) => PgSql
): PgClient["Service"] =>
  PgClient.of({
    ...client,
    query: (operation, statement, options) =>
      client.query(operation, (sql) => statement(around(operation, sql)), options),
    batch: (operation, statement, options) =>
      client.batch(
        operation,
        (sql, organisationId, items) => statement(around(operation, sql), organisationId, items),
        options
      )
  })
