/**
 * A Postgres server for the run, with fsync as in production, and the schema of Solar Sites.
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import postgres from "postgres"
import { startEmbedded } from "../../../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { generate, type Progress } from "../../../../packages/adapter-postgres/test/scale/Generate.ts"
import { solarSites } from "../../contestants/contestants.ts"
import { parentOf } from "../../load/processUse.ts"
import { type FillOptions, fill } from "./fill.ts"
import type { Fixture } from "./fixture.ts"

interface StoredEvent {
  readonly sequence: number
  readonly request_id: string | null
  readonly [column: string]: unknown
}

export interface Database {
  readonly url: string
  readonly schema: string
  readonly fixture: Fixture
  /** The last sequence of an organisation, and its events after another one. */
  readonly eventsAfter: (
    organisationId: string,
    sequence: number
  ) => Promise<{ readonly last: number; readonly events: ReadonlyArray<StoredEvent> }>
  /** Removes the rows that requests have added, so that every contestant finds the same data. */
  readonly tidy: () => Promise<void>
  readonly version: () => Promise<string>
  /** Parent of all processes of Postgres. */
  readonly serverPid: number
  readonly stop: () => Promise<void>
}

/** Rows beside the fixture. */
const large = { organisations: 1_000, sites: 1_000_000 }

export interface Place {
  readonly url: string
  readonly schema: string
}

/** Migrates and fills a schema that does not exist yet. */
export const prepare = async (
  { schema, url }: Place,
  options: FillOptions & { readonly large?: Progress | undefined }
): Promise<Database> => {
  const { HOME, PATH } = process.env
  const env = { HOME, PATH, DATABASE_URL: url, DATABASE_SCHEMA: schema }
  await promisify(execFile)(process.execPath, [...solarSites, "migrate"], { env })
  if (options.large !== undefined) {
    const client = PgClient.layer({ url: Redacted.make(url), schema, queryTimeout: "10 minutes" })
    await Effect.runPromise(Effect.provide(generate(url, large, options.large), client))
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const fixture = await fill(sql, schema, options)
  const lastSite = fixture.writer.siteIds.at(-1) ?? ""
  const table = (name: string) => sql(`${schema}.${name}`)
  const tidy = async () => {
    await sql`truncate ${table("deleted_file")}, ${table("event")}`
    await sql`delete from ${table("document")} where status = 'pending'`
    await sql`update ${table("document")} set status = 'uploaded', updated_at = created_at, version = 1 where version > 1`
    await sql`delete from ${table("site")} where id > ${lastSite} and site_name like 'Created %'`
    await sql`vacuum analyze ${table("site")}, ${table("document")}`
  }
  const eventsAfter: Database["eventsAfter"] = async (organisationId, sequence) => {
    const [row] = await sql<Array<{ last: string }>>`
      select last from ${table("event_sequence")} where organisation_id = ${organisationId}`
    const events = await sql<Array<StoredEvent>>`
      select e.sequence::int, e.type, e.user_id, e.api_key_id = k.id as by_key, e.key_prefix = k.prefix as by_prefix,
             e.subject_id, e.subject_name, e.site_id, e.changes, e.request_id
      from ${table("event")} e left join ${table("api_key")} k using (organisation_id)
      where e.organisation_id = ${organisationId} and e.sequence > ${sequence}
      order by e.sequence`
    return { last: Number(row?.last ?? 0), events }
  }
  const version = async () => {
    const [row] = await sql<Array<{ server_version: string }>>`show server_version`
    return row?.server_version ?? "unknown"
  }
  await sql`vacuum analyze ${table("site")}, ${table("portfolio")}, ${table("api_key")}, ${table("document")}`
  const [backend] = await sql<Array<{ pid: number }>>`select pg_backend_pid() as pid`
  const serverPid = await parentOf(backend?.pid ?? -1)
  return { url, schema, fixture, eventsAfter, tidy, version, serverPid, stop: () => sql.end() }
}

export const startDatabase = async (options: Parameters<typeof prepare>[1]): Promise<Database> => {
  const server = await startEmbedded(["fsync=on"])
  try {
    const database = await prepare({ url: server.url, schema: "solar" }, options)
    return { ...database, stop: () => database.stop().then(server.stop) }
  } catch (cause) {
    await server.stop()
    throw cause
  }
}
