/**
 * What server processes of a proof share: a migrated Postgres, a folder, and their settings.
 */
import { useBundle } from "../../apps/reference-server/test/bundle.globalSetup.ts"
import { run, serve, temporaryFolder, type Variables } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { startEmbedded } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"

const longestLife = 4 * 3_600_000

export type Deployment = Awaited<ReturnType<typeof deploy>>

export const deploy = async (more: Variables = {}) => {
  await useBundle()
  const folder = await temporaryFolder()
  const { stop, url } = await startEmbedded()
  const variables = {
    DATABASE_URL: url,
    DATA_DIR: folder.path,
    QUERY_TIMEOUT: "30s",
    RATE_LIMIT_PER_MINUTE: "0",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "error",
    ...more
  }
  const migrated = await run(["migrate"], variables)
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  return {
    databaseUrl: url,
    variables,
    start: (own: Variables = {}) => serve({ ...variables, ...own }, [], longestLife),
    /** Once its servers have ended. */
    close: async () => {
      await stop()
      await folder[Symbol.asyncDispose]()
    }
  }
}
