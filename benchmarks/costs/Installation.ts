/**
 * Servers on one Postgres with fsync, one Redis and a store that has every file, and organisations with
 * sites, documents, requirements and events.
 */
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import postgres from "postgres"
import { operator } from "../../apps/reference-server/test/Operator.ts"
import { type Server, serve, stop } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { startEmbedded } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { generate } from "../../packages/adapter-postgres/test/scale/Generate.ts"
import { startRedis } from "../../packages/adapter-redis/test/RedisServer.ts"
import { familyMicros, parentOf } from "../src/load/processUse.ts"
import { startHttp } from "../src/services/http.ts"
import { fileSize, newSite, type Organisation, sender } from "./Operations.ts"

/** Totals since the start; processor time in microseconds. */
export interface Totals {
  readonly servers: number
  readonly postgres: number
  readonly redis: number
  readonly wal: number
  readonly stored: number
}

const schema = "solar"
const bucket = "solar-documents"
/** Organisations that the load uses, and sites of each. */
export const own = { organisations: 40, sites: 250 }

const requirements = ["invoice", "insurance", "warranty_information", "om_contract"].map((documentType) => ({
  documentType
}))

/** An empty bucket that says of every file that it is there. */
const store = () =>
  startHttp(
    createServer(({ method }, response) => {
      const file = { "content-length": fileSize, "content-type": "application/pdf", etag: '"1"' }
      if (method === "HEAD") response.writeHead(200, file).end()
      else
        response
          .setHeader("content-type", "application/xml")
          .end(`<ListBucketResult><Name>${bucket}</Name><KeyCount>0</KeyCount></ListBucketResult>`)
    })
  )

export const install = async (processes: number) => {
  const stops: Array<() => unknown> = []
  const database = await startEmbedded(["fsync=on"])
  stops.unshift(database.stop)
  const [redis, objects] = [await startRedis(), await store()]
  stops.unshift(redis.stop, objects.stop)
  const variables = {
    DATA_DIR: join(tmpdir(), "solar-sites-costs"),
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: schema,
    REDIS_URL: redis.url,
    S3_BUCKET: bucket,
    S3_ENDPOINT: objects.url,
    AWS_ACCESS_KEY_ID: "access",
    AWS_SECRET_ACCESS_KEY: "secret",
    RATE_LIMIT_PER_MINUTE: "1000000",
    // Other work on the machine slows operations down, but ends none.
    QUERY_TIMEOUT: "30s",
    NODE_OPTIONS: "--max-semi-space-size=16"
  }
  const servers: Array<Server> = []
  const stopServers = () => Promise.all(servers.splice(0).map(stop))
  const startServers = async () => {
    for (let count = 0; count < processes; count++) servers.push(await serve(variables, ["--migrate"]))
  }
  await startServers()
  stops.unshift(stopServers)

  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  stops.unshift(() => sql.end())
  const [backend] = await sql<Array<{ pid: number }>>`select pg_backend_pid() as pid`
  const postmaster = await parentOf(backend?.pid ?? -1)

  const totals = async (): Promise<Totals> => {
    const [row] = await sql<Array<{ wal: string; stored: string }>>`
      select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal, sum(pg_total_relation_size(oid)) as stored
      from pg_class where relnamespace = ${schema}::regnamespace and relkind = 'r'`
    const micros = await Promise.all(servers.map(({ pid }) => familyMicros(pid)))
    return {
      servers: micros.reduce((sum, one) => sum + one, 0),
      postgres: await familyMicros(postmaster),
      redis: await familyMicros(redis.pid()),
      wal: Number(row?.wal),
      stored: Number(row?.stored)
    }
  }

  const organisation = async (by: ReturnType<typeof operator>): Promise<Organisation> => {
    const { close, send } = sender([servers[0]?.address ?? ""])
    const { key } = await by.createKey(await by.createOrganisation())
    await send("PUT", "/api/document-requirements", key, { requirements })
    const all = Array.from({ length: own.sites }, (_, n) => ({ ...newSite(n), externalId: `S-${n}` }))
    await send("POST", "/api/sites/bulk", key, { sites: all })
    const { data } = Object(await send("GET", "/api/sites", key))
    close()
    return { key, siteIds: data.map(({ id }: { readonly id: string }) => id) }
  }

  return {
    origins: () => servers.map(({ address }) => address),
    totals,
    version: async () => String((await sql`show server_version`)[0]?.["server_version"]),
    organisations: async (): Promise<ReadonlyArray<Organisation>> => {
      const by = operator(variables)
      const made: Array<Organisation> = []
      for (let n = 0; n < own.organisations; n++) made.push(await organisation(by))
      await by.close()
      return made
    },
    /**
     * Adds other organisations with sites, documents and events, by SQL and without due work. Restarts
     * the servers, because they would change the rows meanwhile.
     */
    beside: async (sites: number): Promise<void> => {
      await stopServers()
      const client = PgClient.layer({ url: Redacted.make(database.url), schema, queryTimeout: "10 minutes" })
      const filled = generate(database.url, { organisations: sites / own.sites, sites }, () => {})
      await Effect.runPromise(Effect.provide(filled, client))
      for (const name of ["webhook_delivery", "webhook", "deleted_file", "idempotency"])
        await sql`delete from ${sql(`${schema}.${name}`)}`
      await sql`update ${sql(`${schema}.document`)} set status = 'uploaded', look_at = null where status = 'pending'`
      await sql`vacuum analyze`
      await sql`checkpoint`
      await startServers()
    },
    stop: async () => {
      for (const end of stops) await end()
    }
  }
}

export type Installation = Awaited<ReturnType<typeof install>>
