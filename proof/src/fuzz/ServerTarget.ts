/**
 * A server process on Postgres, with files in a folder.
 */

import { operator } from "../../../apps/reference-server/test/Operator.ts"
import { run, serve, stop, temporaryFolder } from "../../../apps/reference-server/test/SolarSitesProcess.ts"
import { startEmbedded } from "../../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { requestOf } from "./MemoryTarget.ts"
import { asking, type Target } from "./Target.ts"

const longestLife = 4 * 3_600_000

export interface ServerTarget extends Target {
  readonly address: string
  readonly pid: number
  /** Postgres of the server. */
  readonly databaseUrl: string
  readonly administration: ReturnType<typeof operator>
}

export const serverTarget = async (more: Readonly<Record<string, string>> = {}): Promise<ServerTarget> => {
  const folder = await temporaryFolder()
  const postgres = await startEmbedded()
  const variables = {
    DATABASE_URL: postgres.url,
    DATA_DIR: folder.path,
    QUERY_TIMEOUT: "30s",
    RATE_LIMIT_PER_MINUTE: "0",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "error",
    ...more
  }
  const migrated = await run(["migrate"], variables)
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  const server = await serve(variables, [], longestLife)
  const administration = operator(variables)
  const send: Target["send"] = async (sent) => {
    const response = await fetch(requestOf(server.address, sent))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    address: server.address,
    pid: server.pid,
    databaseUrl: postgres.url,
    administration,
    join: async () => (await administration.createKey(await administration.createOrganisation())).key,
    limit: async (key, portfolioIds) => {
      const { organisation } = await asking({ send }, key)("GET /api/me")
      return (await administration.createKey(organisation.id, portfolioIds)).key
    },
    send,
    upload: async ({ headers, url }, text) => (await fetch(url, { method: "PUT", headers, body: text })).status,
    close: async () => {
      await administration.close()
      const { code, stderr } = await stop(server)
      await postgres.stop()
      await folder[Symbol.asyncDispose]()
      if (code !== 0) throw new Error(`The server ended with ${code}: ${stderr.slice(-2_000)}`)
    }
  }
}
