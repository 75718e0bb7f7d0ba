/** Settings of a server that reaches its database through pgbouncer. */
import { unlessMissing } from "../../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { startPgBouncer } from "../../../packages/adapter-postgres/test/PgBouncer.ts"

/** Undefined where pgbouncer is not installed. */
export const pooled = async (postgresUrl: string) => {
  const pooler = await unlessMissing("through pgbouncer", () => startPgBouncer(postgresUrl))
  return pooler && { variables: { DATABASE_URL: pooler.url, DATABASE_POOLER: "transaction" }, stop: pooler.stop }
}
